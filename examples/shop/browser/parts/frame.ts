/** The pages that the navigation of the shop leads to. */
export const pages = [
  ['/', 'Events'],
  ['/memberships', 'Memberships'],
  ['/basket', 'Basket'],
  ['/my-tickets', 'My tickets'],
] as const;

/** What the page of all events says first. */
export const welcomeTo = (name: string): string => `Be there with ${name}`;
export const defaultWelcome = 'Choose an event, and your tickets are yours in a minute.';

/** The first letters of its first two words. */
export const initials = (name: string): string => (name.match(/(?<!\S)\S/gu) ?? []).slice(0, 2).join('').toUpperCase();
