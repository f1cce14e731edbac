/** Amounts and times as people of a locale, such as `en-GB`, write them, in the time zone of the organisation. */
export class Words {
  readonly #locale: string;
  readonly #timezone: string;

  constructor(locale: string, timezone: string) {
    this.#locale = locale;
    this.#timezone = timezone;
  }

  money(amount: number, currency: string): string {
    return new Intl.NumberFormat(this.#locale, { style: 'currency', currency }).format(amount);
  }

  /** Of Unix seconds or an ISO time. An event has a time zone of its own. */
  time(at: number | string, timeZone = this.#timezone): string {
    return new Intl.DateTimeFormat(this.#locale, { dateStyle: 'full', timeStyle: 'short', timeZone }).format(
      dateOf(at),
    );
  }

  day(at: number | string): string {
    return new Intl.DateTimeFormat(this.#locale, { dateStyle: 'long', timeZone: this.#timezone }).format(dateOf(at));
  }
}

const dateOf = (at: number | string): Date => new Date(typeof at === 'number' ? at * 1000 : at);
