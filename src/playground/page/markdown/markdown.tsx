/**
 * Markdown of a model, a tool or a server as elements of ours. Nothing in it becomes anything else: HTML is shown as the text it is,
 * a picture as its description and address, and a link leads to the web or to a mail program, or is no link.
 */
import type { Token, Tokens } from 'marked';
import type { ComponentChild, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { OutsideLink } from '../shell/outside-link.tsx';
import { type Blocks, readBlocks } from './blocks.ts';

/** Deeper than this, text is shown as it stands. */
const deepest = 24;

export function Markdown({ text, live }: { readonly text: string; readonly live: boolean }) {
  const blocks = useRef<Blocks>(undefined);
  blocks.current ??= readBlocks();
  /** An element that is the same object as at the last drawing is not drawn again. */
  const drawn = useRef(new WeakMap<Token, VNode>());
  blocks.current.update(text, live);
  return (
    <div class="markdown">
      {blocks.current.tokens.map((token, at) => {
        const known = drawn.current.get(token);
        if (known) return known;
        const element = <div key={at}>{block(token, 0)}</div>;
        drawn.current.set(token, element);
        return element;
      })}
    </div>
  );
}

function block(token: Token, depth: number): ComponentChild {
  if (depth > deepest) return token.raw;
  const inner = (tokens: readonly Token[] | undefined) => tokens?.map(one => block(one, depth + 1));
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p>{inlines(token.tokens, depth)}</p>;
    case 'heading': {
      // The page has headings of its own above these.
      const Heading = `h${Math.min(6, (token as Tokens.Heading).depth + 2)}` as 'h3';
      return <Heading>{inlines(token.tokens, depth)}</Heading>;
    }
    case 'code': {
      const { lang, text } = token as Tokens.Code;
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by the keyboard.
        <pre tabIndex={0}>
          {lang && <span class="lang">{lang}</span>}
          <code>{text}</code>
        </pre>
      );
    }
    case 'blockquote':
      return <blockquote>{inner(token.tokens)}</blockquote>;
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      const entries = items.map((item, at) => <li key={at}>{inner(item.tokens)}</li>);
      return ordered ? <ol start={start === '' ? 1 : start}>{entries}</ol> : <ul>{entries}</ul>;
    }
    case 'table':
      return <Table table={token as Tokens.Table} depth={depth} />;
    case 'hr':
      return <hr />;
    case 'html':
    case 'plain':
      return <p class="as-is">{token.raw}</p>;
    default:
      return inline(token, depth);
  }
}

function Table({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }) {
  const aligned = (cell: Tokens.TableCell) => (cell.align ? `to-${cell.align}` : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by the keyboard.
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, at) => (
              <th key={at} class={aligned(cell)}>
                {inlines(cell.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} class={aligned(cell)}>
                  {inlines(cell.tokens, depth)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlines(tokens: readonly Token[] | undefined, depth: number): ComponentChild[] {
  return (tokens ?? []).map(token => inline(token, depth + 1));
}

function inline(token: Token, depth: number): ComponentChild {
  if (depth > deepest) return token.raw;
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens, depth)}</em>;
    case 'del':
      return <del>{inlines(token.tokens, depth)}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      return <OutsideLink href={href}>{inlines(tokens, depth)}</OutsideLink>;
    }
    case 'image': {
      const { href, text } = token as Tokens.Image;
      return (
        <span class="picture">
          [picture: {text === '' ? 'without a description' : text}, at{' '}
          <OutsideLink href={href}>{href}</OutsideLink>]
        </span>
      );
    }
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'escape':
    case 'text':
      return 'tokens' in token && token.tokens ? inlines(token.tokens, depth) : (token as Tokens.Text).text;
    default:
      return token.raw;
  }
}
