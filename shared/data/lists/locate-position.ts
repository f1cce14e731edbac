import { type KeyList, keyAt } from '../positions/read.ts';
import { Contended } from '../table/failures.ts';
import type { Table } from '../table/table.ts';
import { type Located, startOfList } from './list-page.ts';

/** Finds an offset in a list by its position tree. If the tree changes each time that it is read, the rows are counted instead. */
export async function locatePosition(table: Table, list: KeyList, offset: number): Promise<Located> {
  try {
    const after = await keyAt(table, list, offset - 1);
    return after === undefined ? 'past the end' : { after, preceding: offset };
  } catch (error) {
    if (error instanceof Contended) return startOfList;
    throw error;
  }
}
