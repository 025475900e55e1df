// What may be there already and what may take its time, in one type. A promise costs a turn of the queue each time it is
// waited for, and on the way of a cached read those turns are a good part of the whole.

export type MaybePromise<T> = T | Promise<T>;

/** Continues at once if it can. What `next` throws is thrown here, or rejects what is returned. */
export function after<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
