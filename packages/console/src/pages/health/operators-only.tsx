import type { ReactNode } from 'react';
import { useIsOperator } from '../../api/health.ts';
import { Hidden } from '../../parts/hidden.tsx';
import { Loaded } from '../../parts/loaded.tsx';

/** A page for those who publish; others are told why they do not see it. */
export const OperatorsOnly = ({ reason, children }: { reason: string; children: ReactNode }) => (
  <Loaded reading={useIsOperator()} isPage>
    {({ is_operator }) => (is_operator ? children : <Hidden isForbidden isPage reason={reason} />)}
  </Loaded>
);
