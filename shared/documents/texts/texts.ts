import type { en } from './en.ts';

type English = typeof en;
export type TextKey = keyof English;

/** The texts of a language: those of English, all of them. A test compares the names in braces. */
export type Texts = Readonly<Record<TextKey, string>>;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** What is written in place of the names in braces; nothing for a text without them. */
export type ValuesOf<Key extends TextKey> = [NamesIn<English[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<English[Key]>, string | number>>];

/** The texts without names in braces. */
export type PlainKey = { [Key in TextKey]: ValuesOf<Key> extends [] ? Key : never }[TextKey];
