/** The page's first line: everything it shows is in `shell/app.tsx`. */
import { render } from 'preact';
import { App } from './shell/app.tsx';
import { followNews } from './shell/news.ts';
import { takeToken } from './shell/token.ts';
import './style/theme.css';
import './style/base.css';
import './style/shell.css';
import './style/chat.css';
import './style/markdown.css';
import './style/knobs.css';
import './style/raw.css';
import './style/lab.css';
import './style/runs.css';

takeToken();
followNews();
render(<App />, document.getElementById('page')!);
