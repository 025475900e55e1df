/** @jsxImportSource preact */
// The header and the footer of every page.
import { useEffect } from "preact/hooks";

const PAGES = [
  ["/leaderboard/7d", "Leaderboard", "/leaderboard"],
  ["/tape", "Tape", "/tape"],
  ["/now", "Now", "/now"],
  ["/boards/trending", "Tokens", "/boards"],
  ["/theses", "Theses", "/theses"],
  ["/following", "Following", "/following"],
] as const;
const MORE = [
  ["/docs", "API", "/docs"],
  ["/pricing", "Pricing", "/pricing"],
] as const;

export interface MastheadProps {
  current: string;
  /** Without the explorer only the reference and the key-related pages are left. */
  explorer: boolean;
  /** Whether the platform is a simulated one. */
  isSimulated: boolean;
  onSearch?: () => void;
}

export function Masthead({ current, explorer, isSimulated, onSearch }: MastheadProps) {
  const link = ([href, title, begins]: readonly [string, string, string]) => (
    <a key={href} href={href} aria-current={current.startsWith(begins) ? "page" : undefined}>
      {title}
    </a>
  );
  return (
    <header class="masthead">
      <a class="brand" href="/" aria-label="Crowdtape, home">
        <Mark />
        <span>
          crowd<b>tape</b>
        </span>
      </a>
      {isSimulated ? (
        <span class="simulated" title="No trader, token or trade here is real.">
          simulated
        </span>
      ) : null}
      <nav class="pages" aria-label="Pages">
        {explorer ? PAGES.map(link) : null}
        {MORE.map(link)}
        {explorer ? link(["/console", "Console", "/console"]) : link(["/recover", "Lost key", "/recover"])}
      </nav>
      <div class="tools">
        {explorer ? (
          <a
            class="searchbox"
            href="/search"
            onClick={
              onSearch &&
              ((event: MouseEvent) => {
                event.preventDefault();
                onSearch();
              })
            }
          >
            <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
              <circle cx="7" cy="7" r="4.5" />
              <path d="m10.5 10.5 4 4" />
            </svg>
            <span>Search</span>
            <span class="kbd" aria-hidden="true">
              ⌘K
            </span>
          </a>
        ) : null}
        <button type="button" class="icon" data-theme-switch aria-label="Switch between light and dark">
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="8" cy="8" r="6" />
            <path class="half" d="M8 2a6 6 0 0 1 0 12z" />
          </svg>
        </button>
      </div>
    </header>
  );
}

const THUMB = [
  ["/leaderboard/7d", "Leaders", "/leaderboard"],
  ["/now", "Now", "/now"],
  ["/tape", "Tape", "/tape"],
  ["/following", "Following", "/following"],
] as const;

/** Navigation in reach of a thumb, on phones; wider windows have the header alone. */
export function BottomBar({ current, onSearch }: { current: string; onSearch: () => void }) {
  return (
    <nav class="bottom-bar" aria-label="Quick">
      {THUMB.map(([href, title, begins]) => (
        <a key={href} href={href} aria-current={current.startsWith(begins) ? "page" : undefined}>
          {title}
        </a>
      ))}
      <button type="button" onClick={onSearch}>
        Search
      </button>
    </nav>
  );
}

function Mark() {
  return (
    <svg class="mark" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5" />
      <path d="M4 13.5h2.4l2-6 2.6 8 2-5.5h3" />
    </svg>
  );
}

export function Foot() {
  return (
    <footer class="foot">
      <p>
        Times are by your clock, with UTC on hover; the calendar's days are UTC's. Data is the platform's own
        and may be late or wrong; nothing here is advice.
      </p>
      <nav aria-label="More">
        <a href="/docs">API reference</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/pricing">Pricing</a>
        <a href="/recover">Lost key</a>
      </nav>
    </footer>
  );
}

/** Runs a function on ⌘K, Ctrl+K or / outside a field. */
export function useShortcut(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).matches?.("input, textarea, select");
      const isK = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey);
      if (!isK && (event.key !== "/" || isTyping || event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
