/** `rawcall models recommend`: which model, which file of it and which context serve on this machine, and how fast. */
import type { Candidate } from '../../catalog/recommend.ts';
import { jsonLine } from '../../json.ts';
import { exitCodes } from '../exit.ts';
import { writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { adviceText, lookForAdvice, nameOf } from './advice.ts';

/** Exit code 1 where nothing serves. */
export async function recommendModels(context: Context): Promise<number> {
  const advice = await lookForAdvice(context);
  const { machine, candidates, slow, small } = advice;
  if (context.values.json) {
    const smallest = small && { model: nameOf(small), lora: small.adapter.name };
    await writeOut(
      `${jsonLine({ machine, candidates: candidates.map(asJson), slow: slow.map(asJson), smallest })}\n`,
    );
  } else await writeOut(await adviceText(advice));
  return candidates.length > 0 || small ? exitCodes.answered : exitCodes.error;
}

function asJson({ model, file, context, memory, reading, writing }: Candidate): object {
  const { name, licence, sampling } = model;
  const about = { model: name, quantisation: file.quantisation, size: file.size, context, memory };
  return {
    ...about,
    ...(reading === undefined ? {} : { reading: Number(reading.toPrecision(2)) }),
    ...(writing === undefined ? {} : { writing: Number(writing.toPrecision(2)) }),
    licence,
    ...(sampling ? { sampling } : {}),
  };
}
