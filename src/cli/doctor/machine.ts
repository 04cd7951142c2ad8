/** The machine and the program that runs on it. */
import { availableParallelism, cpus, freemem, release, totalmem } from 'node:os';
import { type Computer, describeComputer } from '../../engine/llama.ts';
import { packageVersion } from '../package.ts';
import type { Values } from '../settings.ts';
import { counted, failed, failure, type Line, type Section, sizeText } from './section.ts';

export async function machineSection({ gpu = 'auto' }: Values): Promise<Section> {
  const cores = availableParallelism();
  const processor = cpus()[0]?.model.trim() ?? 'unknown';
  const memory = { free: freemem(), total: totalmem() };
  const { version, platform, arch } = process;
  const data = {
    rawcall: packageVersion(),
    node: version,
    platform,
    arch,
    release: release(),
    processor,
    cores,
    memory,
  };
  const lines: Line[] = [
    { what: 'program', text: `rawcall ${packageVersion()}, Node ${version}` },
    { what: 'system', text: `${platform} ${arch}, ${release()}` },
    { what: 'processor', text: `${processor}, ${counted(cores, 'core')}` },
    { what: 'memory', text: `${sizeText(memory.free)} free of ${sizeText(memory.total)}` },
  ];
  try {
    const computer = await describeComputer(gpu);
    return { title: 'machine', lines: [...lines, gpuLine(computer)], data: { ...data, ...computer } };
  } catch (error) {
    return {
      title: 'machine',
      lines: [...lines, failed('GPU', error)],
      data: { ...data, error: failure(error) },
    };
  }
}

function gpuLine({ gpu, devices, vram, mathCores }: Computer): Line {
  if (gpu === undefined)
    return { what: 'GPU', text: `none is used; ${counted(mathCores, 'core')} of the CPU will compute` };
  const free = vram ? `, ${sizeText(vram.free)} free of ${sizeText(vram.total)}` : '';
  return { what: 'GPU', text: `${gpu}: ${devices.join(', ') || 'unnamed'}${free}` };
}
