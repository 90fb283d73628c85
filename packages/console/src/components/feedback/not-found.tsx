import { paths } from '../../paths.ts';
import { FrontPage } from '../layout/front-page.tsx';
import { ButtonLink } from '../text/links.tsx';

export function NotFound() {
  return (
    <FrontPage title="Page not found" description="Check the URL for typos.">
      <ButtonLink to={paths.home}>Go to home page</ButtonLink>
    </FrontPage>
  );
}
