// The follow graph: few are followed by many and most by few, and a few follow hundreds. Counts are the true numbers of
// edges. New traders follow people who are already there; an early trader may also follow a later one.
import { unit } from "./hash.ts";

const FOLLOWED_MAX = 900;
const AVERAGE_FACTOR = 14;

export class FollowGraph {
  readonly #key: number;
  readonly #following: number[][] = [];
  readonly #followers: number[][] = [];
  /** The last follower of each: newcomers come one at a time, so this shows whether they already follow. */
  readonly #lastFollower: number[] = [];

  constructor(key: number) {
    this.#key = key;
  }

  /** Adds the next trader and those they follow. */
  add(index: number): void {
    const following: number[] = [];
    this.#following.push(following);
    this.#followers.push([]);
    const appetite = unit(this.#key, index, 1);
    const wanted = Math.min(FOLLOWED_MAX, Math.floor(AVERAGE_FACTOR / (appetite + 0.012) ** 0.85) - 10);
    for (let place = 0; place < wanted; place++) {
      // A high power concentrates the picks on the first traders, which makes them the popular ones.
      const followed = Math.floor(unit(this.#key, index, place + 2) ** 2.6 * index);
      if (followed === index || this.#lastFollower[followed] === index) continue;
      this.#lastFollower[followed] = index;
      this.#follow(index, followed);
      // Follows are often returned, which is how the early come to follow the late.
      if (unit(this.#key, followed, index) < 0.12) this.#follow(followed, index);
    }
  }

  following(index: number): readonly number[] {
    return this.#following[index] ?? [];
  }

  followers(index: number): readonly number[] {
    return this.#followers[index] ?? [];
  }

  #follow(from: number, to: number): void {
    (this.#following[from] as number[]).push(to);
    (this.#followers[to] as number[]).push(from);
  }
}
