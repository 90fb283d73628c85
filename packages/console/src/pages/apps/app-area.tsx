import { Navigate, useLocation, useParams } from 'react-router';
import { useApp } from '../../api/apps.ts';
import { AreaPages } from '../../parts/area.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { AppContext, appHere } from '../../parts/may.ts';
import { appPath } from '../../paths.ts';

/** The pages of one app. */
export function AppArea() {
  const { owner = '', app: name = '' } = useParams();
  const { pathname, search } = useLocation();
  const reading = useApp({ owner_name: owner, app_name: name });
  return (
    <Loaded reading={reading} isPage>
      {(app) => {
        // Former names and other spellings are read too; the address then says what is right.
        const segments = pathname.split('/');
        const right = [appPath(app), ...segments.slice(5)].join('/');
        if (segments.slice(0, 5).join('/') !== appPath(app)) return <Navigate to={right + search} replace />;
        return (
          <AppContext value={appHere(app)}>
            <AreaPages />
          </AppContext>
        );
      }}
    </Loaded>
  );
}
