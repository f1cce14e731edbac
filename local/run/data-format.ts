/**
 * The format of the rows in a data folder. Raise it with every change after which the code cannot read rows that the version
 * before it has written: a key in shared/data/table/keys.ts gets another text, or a row's schema gets another attribute name
 * or an attribute that old rows do not have.
 */
export const dataFormat = 29;
