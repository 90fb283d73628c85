import type { ReactNode } from 'react';
import { useIsOperator } from '../../api/health/health.ts';
import { AccessDenied } from '../../components/feedback/access-denied.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';

/** Shows a page to operators, and a reason to others. */
export const OperatorsOnly = ({ reason, children }: { reason: string; children: ReactNode }) => (
  <QueryBoundary query={useIsOperator()} isPage>
    {({ is_operator }) => (is_operator ? children : <AccessDenied isForbidden isPage reason={reason} />)}
  </QueryBoundary>
);
