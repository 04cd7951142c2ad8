/** What to run next after an error whose message does not say so itself: it does not know the command line, or it is the library's. */
import type { RawcallError } from '../../parsers/error.ts';

type Details = RawcallError['details'];
type Next = (details: Details) => string | undefined;

/** A chat template may stand in a file of its own, too. */
const inspect: Next = ({ path }) =>
  typeof path === 'string' && /\.gguf$/i.test(path) ? `rawcall models inspect ${quoted(path)}` : undefined;
const pullAgain: Next = () => 'rawcall models verify (stored models), or pull the model again';

const next: Readonly<Record<string, Next>> = {
  bad_config: () => 'rawcall help run (its flags in camelCase are the keys)',
  context_too_large: ({ largest }) =>
    typeof largest === 'number' && largest > 0
      ? `--context-size ${largest}, or rawcall models recommend`
      : 'rawcall models recommend',
  format_not_detected: inspect,
  gpu_unavailable: () => 'rawcall doctor --gpu auto',
  mcp_server_failed: () => 'rawcall doctor',
  model_architecture_unknown: inspect,
  model_damaged: pullAgain,
  model_not_found: () => 'rawcall models list, or rawcall models recommend',
  model_not_gguf: () => 'rawcall models list, or rawcall models convert DIR for safetensors',
  model_not_loaded: inspect,
  model_truncated: pullAgain,
  no_native_binary: () => 'rawcall doctor',
  prompt_too_long: () => 'rawcall tools --tokens (what the tools cost), or a larger --context-size',
  unknown_format: () => 'rawcall formats',
  unknown_mcp_server: () => 'rawcall mcp list',
};

/** Nothing where the message names a command already. */
export function nextCommand({ code, message, details }: RawcallError): string | undefined {
  return /\brawcall [a-z]/.test(message) ? undefined : next[code]?.(details);
}

/** As a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
