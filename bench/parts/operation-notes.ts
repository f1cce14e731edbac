import { assumed, prices } from '../prices.ts';

/** Explains the tables of the part `operations`. */
export function operationNotes(rows: number): string[] {
  return [
    `Every operation of the registry, in one organisation with ${rows} members, as many customers and orders, and nearly as many scans. Pages of 100.`,
    'The units of single calls are those that DynamoDB Local reports, plus the half unit that DynamoDB charges for a Query that finds nothing. The units of transactions are computed from the sizes of their items: 2 write units for each started KB, and 1 for each KB in each index. An item that moves within an index (a member by its last update) costs 1 more, which is not counted.',
    'Minimum: 1 write unit for authentication. To read, half a unit for each 4 KB of the response, or of the rows behind it where these are smaller; a whole unit where the API promises read-after-write ("consistent"). A page with a total needs half a unit more, because another item holds the total. To write, one unit for each KB of the change, two for each KB of change and event together.',
    'A sale: open-basket has to write the basket and its hint, add-basket-item the basket and the stock in a transaction. check-out-basket has to write the claim, the name of the charge, the hint and the pointer to the basket before money moves, and then in one transaction the order, its ticket, the basket, the event and its hint: 17 units for one ticket, and 4 more for a new customer and the claim on the address. What it writes besides is for the other promises of the API: the last table names each with its cost. The calls and writes of the payment sandbox are not counted.',
    'Pages are first pages. A later page that is requested by number costs more, to locate it; the part `growth` measures that.',
    'list-event-orders uses strongly consistent reads, because the API promises that an order is in every list as soon as its check-out has responded; its minimum is therefore a consistent read too. Lists of members and customers make no such promise and read at half the price.',
    'list-orders reads each order and its tickets by their keys, half a unit each: it costs one unit for each order that it returns. The minimum would need a copy of all orders of an organisation in the order of time, in one partition, and every order of an on-sale would write to it.',
    `Prices of ${prices.region} as of ${prices.asOf}, from memory: check them before you quote a figure. Lambda: CPU ms of this machine and ${assumed.roundTripMs} ms for each round trip, at 512 MB (1 GB where streamed). Operations that publish an event include the bus, two queues and one webhook endpoint.`,
    'Per ticket: an order of one ticket and one scan of it, with their events, without the fees of a payment provider.',
  ];
}
