/**
 * Text as somebody must see it who decides by it. Every character that a terminal or a page would obey or not show is written as its
 * code: control characters, those that turn the direction of writing round, those of no width, line and paragraph separators, and
 * halves of surrogate pairs.
 */
export function exactText(text: string, kept = ''): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu,
    character => {
      if (kept.includes(character)) return character;
      const code = character.codePointAt(0)!.toString(16);
      return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
    },
  );
}
