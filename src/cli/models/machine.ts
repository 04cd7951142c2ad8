/** What of this machine a model can have. */
import { availableParallelism, tmpdir } from 'node:os';
import type { MachineRoom } from '../../catalog/recommend.ts';
import { type Computer, describeComputer } from '../../engine/llama.ts';
import { measuredBytes, measureMachine } from '../../engine/measure.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { needRoom } from '../../store/disk.ts';
import { counted } from '../doctor/section.ts';
import type { Values } from '../settings.ts';

export interface Machine extends MachineRoom {
  readonly cores: number;
  /** Absent: the CPU computes. */
  readonly gpu?: string;
  /** Why there is no speed. */
  readonly unmeasured?: string;
}

/** Of memory that is free now: something else may want some, too. */
const share = 0.9;

export async function lookAtMachine(
  { gpu = 'auto', threads }: Values,
  signal: AbortSignal,
): Promise<Machine> {
  const cores = availableParallelism();
  let computer: Computer | undefined;
  try {
    computer = await describeComputer(gpu);
    // Memory that is a disk (tmpfs) and full would end the process where the file is read.
    await needRoom(tmpdir(), 2 * measuredBytes);
    const options = { gpu, signal, ...(threads === undefined ? {} : { threads }) };
    const speed = await measureMachine(options);
    return { cores, ...roomOf(computer), speed };
  } catch (error) {
    // What is known of the memory serves without a speed, too.
    if (signal.aborted || !(error instanceof Error)) throw error;
    return { cores, ...roomOf(computer), unmeasured: error.message };
  }
}

function roomOf(computer: Computer | undefined): { readonly memory: number; readonly gpu?: string } {
  if (!computer?.gpu || !computer.vram) return { memory: share * process.availableMemory() };
  const name = computer.devices.join(', ') || computer.gpu;
  return { memory: share * computer.vram.free, gpu: `${name} (${computer.gpu})` };
}

export function machineText({ cores, gpu, memory }: Machine): string {
  const free = `${bytesText(memory)} of memory for a model`;
  return gpu === undefined ? `${counted(cores, 'core')}, ${free}` : `${gpu}, ${free}`;
}
