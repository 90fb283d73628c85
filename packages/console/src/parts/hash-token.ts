import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The token after the # of a link. It leaves the address at once, so it stays neither on the screen nor in the history. */
export function useHashToken(): string | undefined {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const given = new URLSearchParams(hash.slice(1)).get('token') ?? undefined;
  const [token, setToken] = useState(given);
  useEffect(() => {
    if (!given) return;
    setToken(given);
    void navigate(pathname, { replace: true });
  }, [given, navigate, pathname]);
  return token;
}
