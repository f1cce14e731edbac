export type Paging =
  | { readonly kind: 'all' }
  | { readonly kind: 'cursor'; readonly limit: number; readonly cursor: string | undefined }
  | { readonly kind: 'page'; readonly limit: number; readonly page: number };

interface PagingQuery {
  readonly limit?: number | undefined;
  readonly page_number?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * Decides by the parameters whether to return the whole list, the page after a cursor, or a numbered page. The operation's
 * queryDependencies have refused every other combination.
 */
export function parsePaging({ limit, page_number, cursor }: PagingQuery): Paging {
  if (limit === undefined) return { kind: 'all' };
  if (page_number !== undefined) return { kind: 'page', limit, page: page_number };
  return { kind: 'cursor', limit, cursor };
}
