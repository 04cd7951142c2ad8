/** What no code says of a format: which models speak it, and what is peculiar to how they call. For docs/formats.md. */
export interface FormatNotes {
  readonly models: string;
  readonly peculiar: string;
}

export const formatNotes: Readonly<Record<string, FormatNotes>> = {
  llama3: {
    models: 'Llama 3.2 text models (1B, 3B), and others that were asked for Python calls',
    peculiar:
      'Calls are Python in a list and need no mark, so a reply that begins with one is a call and a list amid prose is prose. No official template asks for this form: the frame around it is compared, the calls in it are not.',
  },
  'llama3-json': {
    models: 'Llama 3.1, 3.2 and 3.3',
    peculiar:
      'The key is `parameters`, and nothing marks a call. `<|python_tag|>` may stand before one, before `tool.call(…)`, or before bare code, which goes to a tool named `code_interpreter` where one is offered; `<function=NAME>{…}</function>` is read too.',
  },
  hermes: {
    models: 'Hermes 2 Pro, Hermes 3, and many other ChatML models',
    peculiar:
      'A block holds one JSON object and ends where the object does, so that a closing tag in a string closes nothing. The template retells the tools as Python signatures.',
  },
  qwen: {
    models: 'Qwen 3, with and without thinking',
    peculiar:
      'Calls as in `hermes`; consecutive results share one user turn. With thinking off the prompt ends with an empty thought. A call in a thought that never closes is read only where nothing comes after it.',
  },
  'qwen2.5': {
    models: 'Qwen 2.5 and its fine-tunes',
    peculiar: 'As `qwen` without thoughts; the template brings a system text where there is none.',
  },
  'gpt-oss': {
    models: 'gpt-oss 20B and 120B',
    peculiar:
      'A reply is a row of messages, each with a channel: `analysis` is thought, `commentary` with a recipient is a call, `commentary` without one is a preamble, `final` is the answer. The recipient may stand before or behind the channel. `<|call|>` is a stop, so a model makes one call a turn.',
  },
  granite3: {
    models: 'Granite 3.0 to 3.3',
    peculiar:
      'All calls of a reply are one JSON list behind one mark, a token in most versions and plain text in 3.1; the closing bracket ends it. `<response>` around an answer is left out.',
  },
  granite4: {
    models: 'Granite 4.0',
    peculiar:
      "Granite's turns with the calls of `hermes`; the template brings a system text where there is none.",
  },
  'granite4.1': { models: 'Granite 4.1', peculiar: 'As `granite4`, without a system text of its own.' },
  'phi4-mini': {
    models: 'Phi-4-mini-instruct',
    peculiar: 'One JSON list between two tokens. Other templates ask for `functools[…]`, which is read too.',
  },
  'qwen3-coder': {
    models: 'Qwen3-Coder',
    peculiar:
      'Values are raw text with no escaping at all, so a value may hold any of the tags; it ends where what follows it is what follows a value. Types come from the schema. A missing `<tool_call>` is forgiven.',
  },
  'qwen3.5': {
    models: 'Qwen 3.5, and others with its template',
    peculiar:
      'Calls as in `qwen3-coder`. The prompt opens the thought, so that only its end is in the completion.',
  },
  glm: {
    models: 'GLM 4.5 and 4.6',
    peculiar:
      'The name stands bare behind the tag, then keys and raw values in turn; strings are raw, the rest is JSON. No token ends a turn: the next role does.',
  },
  'glm4.7': {
    models: 'GLM 4.7',
    peculiar: 'As `glm` without line breaks; the prompt opens or skips the thought.',
  },
  llama4: {
    models: 'Llama 4 Scout and Maverick',
    peculiar: 'Python calls in a list between two tokens, which models also leave out.',
  },
  functiongemma: {
    models: 'FunctionGemma 270M',
    peculiar:
      "Keys and numbers stand bare, strings between `<escape>` marks, and nothing is escaped. The result belongs to the model's own turn: `<start_function_response>` is the stop.",
  },
  gemma4: {
    models: 'Gemma 4',
    peculiar:
      'As `functiongemma` with other marks (`<|"|>` around strings); thoughts stand in a channel named `thought`.',
  },
  lfm2: {
    models: 'LFM2',
    peculiar:
      'Python calls in a list between two tokens, often with prose behind them; JSON in the same place is read too.',
  },
  'lfm2.5': { models: 'LFM2.5', peculiar: 'As `lfm2`, with thoughts.' },
  'mistral-v3': {
    models: 'Mistral 7B v0.3, Nemo, Small 3.1 and others up to tokenizer v7',
    peculiar:
      'One JSON list behind a token, each call with an id of nine letters and digits. Natively the tools stand before the last question, so an earlier prompt is not kept when a new one is asked.',
  },
  'mistral-v11': {
    models: 'Mistral Small 3.2',
    peculiar: 'One token a call, then the name, the id and the arguments, each behind a token.',
  },
  mistral: {
    models: 'Magistral, Ministral 3, Devstral',
    peculiar: 'As `mistral-v11` without ids in the call; thoughts between `[THINK]` and `[/THINK]`.',
  },
  deepseek: {
    models: 'DeepSeek V3 and R1',
    peculiar:
      "The arguments stand in a code fence of their own. The bars and low lines of the marks are not ASCII. The official template of V3 is not compared: llama.cpp's for R1 is.",
  },
  'deepseek-v3.1': {
    models: 'DeepSeek V3.1',
    peculiar:
      'No type and no fence. The prompt opens or skips the thought; the tools are for the system text.',
  },
  'kimi-k2': {
    models: 'Kimi K2 Instruct',
    peculiar:
      'The id is the name: `functions.NAME:N`, counted over the whole conversation and given back with the result.',
  },
  'kimi-k2-thinking': { models: 'Kimi K2 Thinking', peculiar: 'As `kimi-k2`, with thoughts.' },
};
