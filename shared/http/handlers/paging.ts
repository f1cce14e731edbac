import { problem } from '../problem.ts';

export type Paging =
  | { readonly kind: 'all' }
  | { readonly kind: 'cursor'; readonly limit: number; readonly cursor: string | undefined }
  | { readonly kind: 'page'; readonly limit: number; readonly page: number };

interface PagingQuery {
  readonly limit?: number | undefined;
  readonly page_number?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Decides by the parameters whether to return the whole list, the page after a cursor, or a numbered page. */
export function parsePaging({ limit, page_number, cursor }: PagingQuery): Paging {
  if (page_number !== undefined && cursor !== undefined) {
    throw problem('parameter_conflict', 'Send page_number or cursor, not both.', { param: 'page_number' });
  }
  if (limit === undefined) {
    const dependentParam = page_number === undefined ? 'cursor' : 'page_number';
    if (page_number === undefined && cursor === undefined) return { kind: 'all' };
    throw problem('parameter_missing', `The parameter limit is required with ${dependentParam}.`, { param: 'limit' });
  }
  if (page_number !== undefined) return { kind: 'page', limit, page: page_number };
  return { kind: 'cursor', limit, cursor };
}
