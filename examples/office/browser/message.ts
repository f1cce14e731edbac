let left: string | undefined;

/** Leaves a message for the page that is shown next, such as: Saved. */
export function leaveMessage(text: string): void {
  left = text;
}

export function takeMessage(): string | undefined {
  const text = left;
  left = undefined;
  return text;
}
