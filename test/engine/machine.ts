/** The engine's inside on the practice model, for tests of what its outside does not show. */
import { openContext } from '../../src/engine/llama/context.ts';
import type { Few } from '../../src/engine/llama/few.ts';
import type { Machine } from '../../src/engine/llama/generate.ts';
import { openGrammars } from '../../src/engine/llama/grammar.ts';
import { openLanes } from '../../src/engine/llama/lanes.ts';
import { loadModel } from '../../src/engine/llama/model.ts';
import { openNative } from '../../src/engine/llama/native.ts';
import { openQueue } from '../../src/engine/llama/queue.ts';
import { promptEncoder } from '../../src/engine/llama/tokenise.ts';
import { readVocabulary, type Vocabulary } from '../../src/engine/llama/vocabulary.ts';
import { practiceModel } from './practice.ts';

interface MachineOptions {
  readonly few: (vocabulary: Vocabulary) => Few | undefined;
  readonly lanes: number;
  readonly batchSize: number;
}

export async function openMachine({ few, lanes, batchSize }: MachineOptions) {
  const native = await openNative('off');
  const model = await loadModel(native, { model: practiceModel });
  const open = () => openContext(native, model, { contextSize: 512 });
  const vocabulary = readVocabulary(model);
  const machine: Machine = {
    compile: openGrammars({ native, model, vocabulary }),
    few: few(vocabulary),
    noBias: native.library.TokenBias.for(model),
    vocabulary,
    encode: promptEncoder(vocabulary),
    lanes: openLanes({ context: await open(), open, most: lanes }),
    states: undefined,
    queue: openQueue(),
    contextSize: 512,
    batchSize,
    closing: new AbortController().signal,
  };
  return { machine, dispose: () => model.dispose() };
}
