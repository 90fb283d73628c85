import { Navigate, useLocation, useParams } from 'react-router';
import { useOrg } from '../../api/orgs.ts';
import { AreaFrame } from '../../parts/area.tsx';
import { inWords } from '../../parts/choice.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { OrgContext, orgHere } from '../../parts/may.ts';
import { useMe } from '../../parts/me.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { org as area } from '../../sections.ts';

/** The pages of one organization. */
export function OrgArea() {
  const { org: name = '' } = useParams();
  const { pathname, search } = useLocation();
  const reading = useOrg(name, useMe().name);
  return (
    <Loaded reading={reading} isPage>
      {({ org, role }) => {
        const here = orgHere(org, role);
        const rest = pathname.split('/').slice(3).join('/');
        // Former names and other spellings are read too; the address then says what is right.
        if (name !== org.name) return <Navigate to={`${here.base}${rest && `/${rest}`}${search}`} replace />;
        return (
          <OrgContext value={here}>
            <AreaFrame
              area={area}
              base={here.base}
              caller={`org:${role}`}
              header={
                <PageHeader
                  parent={{ to: '/orgs', label: 'Organizations' }}
                  name={org.display_name}
                  image={org.avatar_url}
                  facts={[inWords(role)]}
                />
              }
            />
          </OrgContext>
        );
      }}
    </Loaded>
  );
}
