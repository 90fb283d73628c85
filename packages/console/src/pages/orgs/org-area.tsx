import { Navigate, useLocation, useParams } from 'react-router';
import { useOrg } from '../../api/organizations/orgs.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { AreaPages } from '../../components/layout/area-pages.tsx';
import { useCurrentUser } from '../../context/current-user.ts';
import { OrgContext, toCurrentOrg } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

export function OrgArea() {
  const { org: name = '' } = useParams();
  const { pathname, search } = useLocation();
  const query = useOrg(name, useCurrentUser().name);
  return (
    <QueryBoundary query={query} isPage>
      {({ org, role }) => {
        // The API also accepts former names and other spellings; the URL then changes to the current name.
        const right = [pathTo('org', { org: org.name }), ...pathname.split('/').slice(3)].join('/');
        if (name !== org.name) return <Navigate to={right + search} replace />;
        return (
          <OrgContext value={toCurrentOrg(org, role)}>
            <AreaPages />
          </OrgContext>
        );
      }}
    </QueryBoundary>
  );
}
