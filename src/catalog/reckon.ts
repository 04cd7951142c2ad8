/** How large a file of a model would be, where nobody has said. */

/** Bits of a weight, all told: llama.cpp's own figures for Llama 3.1 8B (tools/quantize/README.md). */
const bits: Readonly<Record<string, number>> = {
  Q2_K: 3.16,
  Q3_K_M: 4.0,
  Q4_0: 4.66,
  Q4_K_S: 4.67,
  Q4_1: 5.1,
  Q4_K_M: 4.89,
  Q5_K_M: 5.7,
  Q6_K: 6.56,
  Q8_0: 8.5,
  F16: 16,
  BF16: 16,
};

export const canReckon = (quantisation: string): boolean => quantisation in bits;

/** In bytes. */
export function reckonedSize(parameters: number, quantisation: string): number {
  return Math.round((parameters * (bits[quantisation] ?? Number.NaN)) / 8);
}
