import * as v from 'valibot';

const Tickets = v.object({ bars: v.array(v.string()) });

/** The barcodes of an order's tickets, sorted by ticket id. */
export function barcodesOf(row: unknown): readonly string[] {
  return v.parse(Tickets, row).bars;
}
