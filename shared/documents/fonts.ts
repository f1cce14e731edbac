import regular from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf';
import bold from '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf';
import { create, type Font } from 'fontkit';

let opened: Readonly<Record<'regular' | 'bold', Font>> | undefined;

/**
 * Noto Sans (SIL Open Font License 1.1). The bundler puts the bytes of the package's files into the function. A font reads its rules
 * when it needs them, which takes longer than the rest of a document: all documents of an instance share the fonts.
 */
export function openFonts() {
  opened ??= { regular: create(regular), bold: create(bold) };
  return opened;
}
