import { Navigate, useLocation, useParams } from 'react-router';
import { useOrg } from '../../api/orgs.ts';
import { AreaPages } from '../../parts/area.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { OrgContext, orgHere } from '../../parts/may.ts';
import { useMe } from '../../parts/me.ts';
import { pathTo } from '../../paths.ts';

/** The pages of one organization. */
export function OrgArea() {
  const { org: name = '' } = useParams();
  const { pathname, search } = useLocation();
  const reading = useOrg(name, useMe().name);
  return (
    <Loaded reading={reading} isPage>
      {({ org, role }) => {
        // Former names and other spellings are read too; the address then says what is right.
        const right = [pathTo('org', { org: org.name }), ...pathname.split('/').slice(3)].join('/');
        if (name !== org.name) return <Navigate to={right + search} replace />;
        return (
          <OrgContext value={orgHere(org, role)}>
            <AreaPages />
          </OrgContext>
        );
      }}
    </Loaded>
  );
}
