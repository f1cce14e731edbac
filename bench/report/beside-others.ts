import { escaped } from './escaped.ts';
import type { FigureTable } from './figures.ts';

/** How the figures of other systems were measured, and what they show. They are not measured again by `npm run bench`. */
const notes = [
  'Measured in November 2026, side by side on one machine with two cores while other work ran on it. So compare ratios of CPU time, not times. All processes of each system are counted; ours include the local API Gateway, the local IAM and DynamoDB Local, which are not there on AWS. `npm run bench -- peers` measures our side again, without those three.',
  'Webhooks: Outpost at commit f67ae011 (Go, Redis, RabbitMQ, PostgreSQL) and Convoy at 2b60cc652 (Go, Redis, PostgreSQL), bodies of 1.2 KB, the receiver in a process of its own. Ours: the functions in one process on DynamoDB Local, without Lambda, the bus and the queues. We were far ahead in isolation and repeats, far behind in CPU time for each delivery, and slow to resume after a crash.',
  'Ticketing: pretix 2026.8.0 (Python, PostgreSQL, Redis, two gunicorn workers, Celery), with 1,000 and then 50,000 orders of one event; medians. We were ahead in search, statistics and lists that are read from the start, level in correctness, and behind in jumps to a distant page.',
  'The columns of Gateline are those of that day. What has changed since is in the tables of the other parts.',
];

const tables: readonly FigureTable[] = [
  {
    title: 'Webhook delivery',
    columns: ['what', 'Gateline', 'Outpost, 10 at once', 'Convoy'],
    rows: [
      ['CPU ms for each delivery, ten endpoints, whole system', '38.4 (sender 15.9, DynamoDB Local 22.5)', 2.46, 13.4],
      ['CPU ms for each delivery, one endpoint', 41.3, 2.24, 19],
      [
        'healthy endpoints while one of ten hangs, p50 / p95 in ms',
        '38 / 155',
        '747 / 4,155, then 15,973 / 23,627',
        '1,147 / 2,227',
      ],
      ['POSTs that the hanging endpoint held', '6, then 1', '107, 89', '60'],
      ['process killed three times: lost; sent twice', '0; 1 of 1,000', '0; 21 of 5,000', '0; 9 of 2,000'],
      ['seconds without arrivals after a kill', '49, 87, 171', 'not measured', 'not measured'],
    ],
  },
  {
    title: 'Features of webhook delivery, as found in code and documentation',
    columns: ['what', 'Gateline', 'Outpost', 'Convoy', 'Svix (open source)'],
    rows: [
      [
        'signature',
        'Standard Webhooks, two secrets for 24 h',
        'HMAC of the body, Standard mode available',
        'configurable',
        'HMAC or ed25519',
      ],
      ['rate for each endpoint, paced', 'yes', 'none found', 'yes', 'not found in the worker'],
      ['circuit with probes and ramp', 'yes', 'none found', 'licensed', 'none found'],
      ['slow endpoint isolated', 'yes', 'shared pool', 'shared pool', 'shared pool'],
      ['replay of a time range', 'yes', 'single retry', 'by its CLI', 'recover'],
      [
        'guard against private addresses',
        'at registration and at connect',
        'by a proxy only',
        'loopback; rules licensed',
        'yes',
      ],
      ['tests that kill the worker', 'at every step', 'none found', 'none found', 'not checked'],
      ['portal for receivers', 'no', 'yes', 'licensed', 'separate product'],
    ],
  },
  {
    title: 'Ticketing: CPU ms for each request, 1,000 → 50,000 orders',
    columns: ['what', 'pretix', 'Gateline'],
    rows: [
      ['list of orders, first page of 50', '200 → 186', '58 → 32'],
      ['middle page, by number', '178 → 303', '47 → about 8,800, then 503'],
      ['last page, by number', '220 → 552', '29 → 503'],
      ['search by name, 5 found', '321 → 483', '39 → 45'],
      ['statistics of an event, two kinds', '59 → 138; 66 → 330', '49 → 45; 54 → 50'],
      ['scan', '105 → 106', '132 → 100'],
      ['export of 1,000 orders, rows per CPU-second', '195', '362'],
      [
        '150 buyers for 100 places, eight at once',
        '100 sold, 50 refused; 355 for each ticket',
        '100 sold, 50 refused; 480 for each ticket (three calls and a payment; pretix one)',
      ],
      ['eight scans of one ticket at once', 'one ok', 'one ok'],
    ],
  },
];

/** The section of the report about other systems. */
export function besideOthers(htmlTable: (table: FigureTable) => string): string {
  const about = notes.map((note) => `<li>${escaped(note)}</li>`).join('');
  return `<section><h2>Beside other systems</h2><ul>${about}</ul>${tables.map(htmlTable).join('')}</section>`;
}
