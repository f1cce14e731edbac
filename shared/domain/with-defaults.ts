/**
 * The type of a registry entry: the finished object without what `Defaults` has a value for. Each group of fields that
 * `Defaults` names may leave out those fields, and the whole group where none of its fields is compulsory.
 */
export type EntryOf<Finished, Defaults extends { readonly [Group in keyof Defaults]: object }> = Omit<
  Finished,
  keyof Defaults
> & {
  readonly [Group in CompulsoryGroup<Finished, Defaults>]: GroupEntry<Finished[Group], Defaults[Group]>;
} & {
  readonly [Group in Exclude<keyof Finished & keyof Defaults, CompulsoryGroup<Finished, Defaults>>]?: GroupEntry<
    Finished[Group],
    Defaults[Group]
  >;
};

type GroupEntry<Fields, Defaults> = Omit<Fields, keyof Defaults> & Partial<Pick<Fields, keyof Fields & keyof Defaults>>;

type CompulsoryGroup<Finished, Defaults> = {
  [Group in keyof Finished & keyof Defaults]: Exclude<keyof Finished[Group], keyof Defaults[Group]> extends never
    ? never
    : Group;
}[keyof Finished & keyof Defaults];
