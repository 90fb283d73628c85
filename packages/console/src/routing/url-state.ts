import { useSearchParams } from 'react-router';

/** Changes some query parameters and keeps the others; removes empty ones. */
export function useUrlChange(): (values: Record<string, string | undefined>) => void {
  const [, setParams] = useSearchParams();
  return (values) => {
    // Reads the current URL, because one event may change it several times.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    setParams(next, { replace: true });
  };
}

/** A text kept in the URL, so that the page can be shared. */
export function useUrlState(name: string): [value: string, set: (value: string) => void] {
  const [params] = useSearchParams();
  const change = useUrlChange();
  return [params.get(name) ?? '', (value) => change({ [name]: value })];
}
