/**
 * Something that should not be possible. Its message is logged, so it names what is wrong and never whose data it met;
 * messages of all other errors may quote data and are kept out of the log.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
}
