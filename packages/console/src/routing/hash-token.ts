import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Takes the token after the # of a link, and removes it from the URL and the history. */
export function useHashToken(): string | undefined {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const hashToken = new URLSearchParams(hash.slice(1)).get('token') ?? undefined;
  const [token, setToken] = useState(hashToken);
  useEffect(() => {
    if (!hashToken) return;
    setToken(hashToken);
    void navigate(pathname, { replace: true });
  }, [hashToken, navigate, pathname]);
  return token;
}
