/** Models too large for one file are split as llama.cpp does it: `NAME-00001-of-00003.gguf`. */
const numbered = /-(\d{5})-of-(\d{5})(\.gguf)$/;
/** More than any model has. */
const most = 1000;

/** All files of a model of which one is named, a path or an address: that one alone where it is not split. */
export function splitFiles(file: string): string[] {
  const [, , count = ''] = numbered.exec(file) ?? [];
  const parts = Number(count);
  if (parts < 1 || parts > most) return [file];
  return Array.from({ length: parts }, (_, index) =>
    file.replace(numbered, `-${String(index + 1).padStart(5, '0')}-of-$2$3`),
  );
}
