// Something that happens once, and that others may wait for.

export interface Moment {
  come(): void;
  /** Resolves when it has come, or the signal aborts. */
  came(signal: AbortSignal): Promise<void>;
}

export function createMoment(): Moment {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    come: resolve,
    came: (signal) =>
      new Promise((done) => {
        if (signal.aborted) return done();
        const finish = () => {
          signal.removeEventListener("abort", finish);
          done();
        };
        signal.addEventListener("abort", finish, { once: true });
        void promise.then(finish);
      }),
  };
}
