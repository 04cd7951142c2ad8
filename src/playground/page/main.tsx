/** The page's first line: everything it shows is in `shell/app.tsx`. */
import { render } from 'preact';
import { App } from './shell/app.tsx';
import { takeToken } from './shell/token.ts';
import './style/theme.css';
import './style/base.css';
import './style/shell.css';
import './style/raw.css';

takeToken();
render(<App />, document.getElementById('page')!);
