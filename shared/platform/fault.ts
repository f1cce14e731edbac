/**
 * An internal error that should not happen. Its message is logged, so it must not contain personal data. The messages of all
 * other errors may contain data and are not logged.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
}
