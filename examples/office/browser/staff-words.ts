import { messageOf } from '../../site/browser/state/messages.ts';
import { ApiError } from '../../site/browser/state/request.ts';

/** Names of operations and parameters: programmers need them in a message, staff do not. */
const apiWords =
  /\b(add|apply|cancel|check|create|delete|list|move|open|pay|refund|remove|retrieve|set|update)-[a-z]|\w_\w/;

/** A message of the API without the sentences that only a programmer can follow. */
export function inStaffWords(message: string): string {
  const sentences = message.split(/(?<=\.) /).filter((sentence) => !apiWords.test(sentence));
  return sentences.join(' ') || 'This is not possible at the moment.';
}

/** What staff read of an error. The API says what it has refused; what fans read is written for buyers. */
export function staffMessage(error: unknown): string {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return isRefusal ? inStaffWords(error.message) : messageOf(error);
}
