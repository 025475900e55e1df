// View settings in a page's address, so that a view can be shared and reloaded.
import { useState } from "preact/hooks";
import { usePage } from "../shared/query.tsx";

export function useUrlState(
  defaults: Record<string, string>,
): [Record<string, string>, (change: Record<string, string>) => void] {
  const page = usePage();
  const [values, setValues] = useState<Record<string, string>>(() => ({ ...defaults, ...page.query }));
  const change = (next: Record<string, string>) => {
    const merged = { ...values, ...next };
    setValues(merged);
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(merged))
      if (value !== "" && value !== defaults[name]) search.set(name, value);
    history.replaceState(null, "", `${location.pathname}${search.size > 0 ? `?${search}` : ""}`);
  };
  return [values, change];
}
