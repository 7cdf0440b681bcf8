import type { DirectApprovalPage } from '@castellan/contract/signin-page'
import { Form, Submit } from './Form.tsx'
import { t } from './text.ts'

/** What is asked for, and two buttons. */
export function DirectApproval({ page }: { page: DirectApprovalPage }) {
  return (
    <>
      <h1>{t('approvalTitle')}</h1>
      <dl className="approval-items">
        {page.items.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Form>
        <input type="hidden" name="action" value="approve" />
        <Submit>{t('approvalApprove')}</Submit>
      </Form>
      <Form>
        <input type="hidden" name="action" value="reject" />
        <button type="submit" className="button">
          {t('approvalReject')}
        </button>
      </Form>
      <p className="small">
        <a href={page.ticketUrl}>{t('approvalOpen')}</a>
      </p>
    </>
  )
}
