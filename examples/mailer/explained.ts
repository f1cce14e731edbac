/** An error whose message may stand in a log: it has no address, no name and no link. */
export class Explained extends Error {}
