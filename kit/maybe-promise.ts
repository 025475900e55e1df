// A value that may or may not be a promise. A promise costs a microtask turn each time it is
// awaited, and on the path of a cached read those turns are a good part of the total.

export type MaybePromise<T> = T | Promise<T>;

/** Continues synchronously if it can. If `next` throws, this throws, or the returned promise rejects. */
export function after<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
