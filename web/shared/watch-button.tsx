/** @jsxImportSource preact */
// Follow and unfollow, and the star that marks followed traders and tokens in every list.
import { toggleWatched, useIsWatched, type Watchable } from "./watchlist.ts";

function Star() {
  return (
    <svg class="star" width="12" height="12" viewBox="0 0 16 16" role="img" aria-label="followed">
      <path d="m8 1 2.1 4.6 5 .6-3.7 3.4 1 5L8 12.1l-4.4 2.5 1-5L.9 6.2l5-.6z" />
    </svg>
  );
}

export function WatchMark({ item }: { item: Watchable }) {
  return useIsWatched(item) ? <Star /> : null;
}

export function WatchButton({ item, name }: { item: Watchable; name: string }) {
  const isWatched = useIsWatched(item);
  return (
    <button type="button" class="plain small" aria-pressed={isWatched} onClick={() => toggleWatched(item)}>
      {isWatched ? "★ Following" : "☆ Follow"}
      <span class="off-screen"> {name}</span>
    </button>
  );
}
