import { Navigate, useLocation, useParams } from 'react-router';
import { useApp } from '../../api/apps.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { AreaPages } from '../../components/layout/area-pages.tsx';
import { AppContext, toCurrentApp } from '../../context/permissions.ts';
import { appPath, installPath } from '../../paths.ts';
import { Redirect } from '../../routing/redirect.tsx';

export function AppArea() {
  const { owner = '', app: name = '' } = useParams();
  const { pathname, search } = useLocation();
  const query = useApp({ owner_name: owner, app_name: name });
  return (
    <QueryBoundary query={query} isPage>
      {(app) => {
        // The API also accepts former names and other spellings; the URL then changes to the current name.
        const segments = pathname.split('/');
        const right = [appPath(app), ...segments.slice(5)].join('/');
        if (segments.slice(0, 5).join('/') !== appPath(app)) return <Navigate to={right + search} replace />;
        const here = toCurrentApp(app);
        // Testers have no overview, so they go to the install page.
        if (here.permission === 'tester' && pathname === appPath(app)) return <Redirect to={installPath(app)} />;
        return (
          <AppContext value={here}>
            <AreaPages />
          </AppContext>
        );
      }}
    </QueryBoundary>
  );
}
