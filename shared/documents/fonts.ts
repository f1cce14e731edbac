import regular from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf';
import bold from '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf';
import { create, type Font } from 'fontkit';

/**
 * A font reads its tables when it needs them, which takes longer than the rest of a document. Here it reads the rules of its scripts and the
 * names of its glyphs: once for all documents of an instance, and while the instance starts, when Lambda gives it a whole processor.
 */
function openFont(bytes: Uint8Array): Font {
  const font = create(bytes);
  font.layout('Ticket');
  Reflect.get(font, 'post');
  // A glyph keeps the character for which it was read first, and readers copy that one. As a part of another glyph it has none.
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
  return font;
}

/** Noto Sans (SIL Open Font License 1.1). The bundler puts the bytes of the package's files into the function. */
export const fonts: Readonly<Record<'regular' | 'bold', Font>> = { regular: openFont(regular), bold: openFont(bold) };

/** Whether both fonts have a glyph for every character. */
export function areInFonts(text: string): boolean {
  return [...text].every((character) =>
    Object.values(fonts).every((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)),
  );
}
