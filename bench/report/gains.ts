import type { FigureTable } from './figures.ts';

/** What was furthest from its limit and what became of it. Whoever makes something faster adds a line. */
export const gains: FigureTable = {
  title: 'What was gained',
  columns: ['what', 'before', 'after', 'how'],
  rows: [
    ['bundle of the functions that deliver webhooks, KB', 842, 321, "Node's own HTTP client in the place of undici"],
    ['bundle of every function of the API, KB', 327, 303, 'without what qs needs in engines without WeakMap'],
    ['bundle of the OpenAPI document, KB', 408, 384, 'the same'],
    ['bundle of check-out, KB', 618, 378, "six calls of our own in the place of Stripe's SDK"],
    ['bundle of every function of the API, KB', 303, 270, 'two line formats of our own in the place of Powertools'],
    ['bundle of the OpenAPI document, KB', 384, 354, 'the same'],
    ['bundle of check-out, KB', 378, 345, 'the same'],
    [
      'init over the bare client, the smallest function of the API',
      1.37,
      1.03,
      'the same; form parsers and web streams are loaded by whoever first needs them',
    ],
    ['init over the bare client, check-out', 1.64, 1.24, "the same, and Stripe's SDK need not be read over"],
    [
      'init over the bare client, retrieve-organisation',
      1.52,
      1.1,
      'country names that are written down: Intl would load its data for them',
    ],
    ['calls of the table for a delivery', 8, 5, 'delivery, endpoint, circuit and event are read in one call'],
    ['depth of a delivery', 6, 5, 'the same'],
    ['whole deliveries per CPU-second', 114, 139, 'the same'],
    [
      'CPU of a call of the table, over the client as the SDK makes it',
      1,
      0.81,
      'without what the SDK does for nobody',
    ],
    ['CPU of a whole delivery, the same', 1, 0.87, 'the same'],
    ['calls of the table for each delivery of a line of 20', 3.35, 2.4, 'the bytes of many are read in one call'],
    [
      'sending over the bare POST loop',
      0.41,
      0.49,
      'keys and secrets stay open in an instance; no error is made that nobody sees',
    ],
    ['memory of the export over idle, MB', 68.7, 41.2, 'chunks of 1,000 rows instead of a megabyte'],
    ['read units of the total of scans', 16, 8, 'as old as the scans that are listed beside it, so at half the price'],
    [
      'the same',
      8,
      0.5,
      'the 16 shards of a day lie side by side, in a partition of days: one Query in the place of 16',
    ],
    ['read units of event stats', 21, 3, 'the same for days of scans and spans of sales'],
    ['the same', 3, 2.5, 'a copy of the event lies beside its prices: one Query reads both'],
    ['depth of event stats', 3, 2, 'the event is read beside its figures, not before them'],
    ['depth of a page of orders or scans', 4, 3, 'the same'],
    ['read units of a page of 100 scans', 12, 4, 'all of that'],
  ],
};
