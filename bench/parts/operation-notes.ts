import { assumed, prices } from '../prices.ts';

/** What a reader of the part `operations` has to know. */
export function operationNotes(rows: number): string[] {
  return [
    `Every operation of the registry, in one organisation with ${rows} each of members, customers and orders, and nearly as many scans. Pages of 100.`,
    'Units of single calls as DynamoDB Local reports them, with the half unit that DynamoDB charges for a Query that finds nothing; of transactions from the sizes of their items: 2 write units for each KB begun, and 1 for each KB in each index. What moves within an index (a member by its last update) costs 1 more there, which is not counted.',
    'Least: 1 write for the door. For an answer half a read unit for each 4 KB of what is told, or of the rows it was made of where these are smaller; a whole unit where the answer promises what was written a moment ago ("latest"). For a page that names a total half a unit more: it is told by another item than the rows. For a change each KB of it once, twice together with its event.',
    'Pages are the first ones. By number, a later one costs half a unit more: where it begins was written down by the one before.',
    'list-event-orders reads the latest, because an order has to be in every list as soon as its check-out was answered; that is a promise to the caller, so the least for its answer is a latest read as well. Lists of members and customers promise no such thing, and read at half the price.',
    `Prices of ${prices.region} as of ${prices.asOf}, from memory: check them before quoting a figure. Lambda: CPU ms of this machine and ${assumed.roundTripMs} ms for each round trip, at 512 MB (1 GB where streamed). What is announced: bus, two queues and one endpoint.`,
    'Per ticket: an order of one ticket and one scan of it, with their events; what a payment provider takes is not in it.',
  ];
}
