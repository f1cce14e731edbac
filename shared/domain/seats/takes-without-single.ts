import { isBeside } from './row-picture.ts';
import { isForWheelchair, type RowTake, singlesOf } from './single-seats.ts';

/** Enough to offer the nearest ones of a row. */
const maxTakes = 200;

interface Groups {
  readonly take: number;
  readonly whole: number;
}

interface WantedTake extends Omit<RowTake, 'take'> {
  readonly size: number;
  /** In how many groups the seats may be: those of this take, and the whole with what the basket has already. */
  readonly groups: Groups;
}

/** Who of the basket has a seat: this take, or what it had before. */
type Last = 'nobody' | 'basket' | 'take';

/** Where a walk along the row is. */
interface Step {
  readonly position: number;
  /** How many open seats are left side by side before this one, at most 2. */
  readonly left: number;
  readonly last: Last;
  readonly groups: Groups;
}

/** The takes of so many seats that leave no new single seat. */
export function takesWithoutSingle(wanted: WantedTake): readonly (readonly number[])[] {
  return new TakeSearch(wanted).found;
}

/** Each seat of the row is taken or left, from the first to the last. A way that led to no take before is not tried again. */
class TakeSearch {
  readonly found: (readonly number[])[] = [];
  readonly #wanted: WantedTake;
  readonly #own: ReadonlySet<number>;
  readonly #singlesBefore: ReadonlySet<number>;
  readonly #dead = new Set<string>();
  readonly #taken: number[] = [];

  constructor(wanted: WantedTake) {
    this.#wanted = wanted;
    this.#own = new Set(wanted.others);
    this.#singlesBefore = new Set(singlesOf(wanted.picture));
    this.#walk({ position: 0, left: 0, last: 'nobody', groups: wanted.groups });
  }

  #walk({ position, groups, ...step }: Step): boolean {
    if (this.found.length >= maxTakes) return true;
    const { picture, size } = this.#wanted;
    const isConnected = isBeside(picture.seats, position);
    // A run of one seat has just ended at an aisle or at the end of the row.
    if (!isConnected && step.left === 1 && this.#mustNotBeAlone(position - 1)) return false;
    const here = {
      position,
      groups,
      left: isConnected ? step.left : 0,
      last: isConnected ? step.last : 'nobody',
    } as const;
    if (position === picture.seats.length) {
      if (this.#taken.length === size) this.found.push([...this.#taken]);
      return this.#taken.length === size;
    }
    const name = [position, here.left, here.last, groups.take, groups.whole, this.#taken.length].join();
    if (this.#dead.has(name)) return false;
    const isFound = this.#next(here);
    if (!isFound) this.#dead.add(name);
    return isFound;
  }

  #next(here: Step): boolean {
    const { position } = here;
    const { picture, size, isOffered } = this.#wanted;
    const seat = picture.seats[position];
    if (this.#own.has(position)) return this.#wall(here, 'basket');
    if (seat === undefined || !picture.open[position]) return this.#wall(here, 'nobody');
    let isFound = false;
    if (this.#taken.length < size && isOffered(seat)) {
      this.#taken.push(position);
      isFound = this.#wall(here, 'take');
      this.#taken.pop();
    }
    // A wheelchair or companion place is no neighbour.
    const isLeft = isForWheelchair(seat)
      ? this.#wall(here, 'nobody')
      : this.#walk({ ...here, position: position + 1, left: Math.min(here.left + 1, 2), last: 'nobody' });
    return isFound || isLeft;
  }

  /** The seat is not open after the take, or is no neighbour. */
  #wall({ position, left, last, groups }: Step, next: Last): boolean {
    const take = groups.take - (next === 'take' && last !== 'take' ? 1 : 0);
    const whole = groups.whole - (next !== 'nobody' && last === 'nobody' ? 1 : 0);
    const leavesSingle = left === 1 && this.#mustNotBeAlone(position - 1);
    if (leavesSingle || take < 0 || whole < 0) return false;
    return this.#walk({ position: position + 1, left: 0, last: next, groups: { take, whole } });
  }

  #mustNotBeAlone(position: number): boolean {
    const seat = this.#wanted.picture.seats[position];
    return seat !== undefined && !isForWheelchair(seat) && !this.#singlesBefore.has(position);
  }
}
