/** An error for the person who starts the cloud: one line that says what is wrong and, if possible, what to do. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
}
