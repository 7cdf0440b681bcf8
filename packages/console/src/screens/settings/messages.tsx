import type { FormButtonsProps } from '../../kit/form/spec.ts'
import { type CategoryForm, secretField } from './category.ts'
import { dialogField } from './DialogButton.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { Subscriptions } from './Subscriptions.tsx'
import { smsProviders } from './sms-providers.ts'
import { TestButton } from './TestButton.tsx'

const smtp: CategoryForm = {
  category: 'email',
  groups: [
    {
      key: 'basic',
      title: 'groupBasic',
      fields: ['EMAIL_HOST', 'EMAIL_PORT', 'EMAIL_HOST_USER', 'EMAIL_HOST_PASSWORD'],
    },
    { key: 'security', title: 'settingTransport', fields: ['EMAIL_USE_SSL', 'EMAIL_USE_TLS'] },
  ],
  fields: { EMAIL_HOST_PASSWORD: secretField },
}

const welcome: CategoryForm = {
  category: 'email_content',
  groups: [
    {
      key: 'content',
      title: 'settingWelcomeMail',
      fields: [
        'EMAIL_CUSTOM_USER_CREATED_SUBJECT',
        'EMAIL_CUSTOM_USER_CREATED_HONORIFIC',
        'EMAIL_CUSTOM_USER_CREATED_BODY',
        'EMAIL_CUSTOM_USER_CREATED_SIGNATURE',
      ],
    },
  ],
  fields: { EMAIL_CUSTOM_USER_CREATED_BODY: { widget: 'textarea' } },
}

const email: CategoryForm = {
  category: 'email',
  groups: [
    { key: 'smtp', title: 'settingMailServer', fields: ['SMTP'] },
    { key: 'sending', title: 'settingSending', fields: ['EMAIL_FROM', 'EMAIL_SUBJECT_PREFIX'] },
    { key: 'content', title: 'settingContent', fields: ['CREATE_USER_MSG'] },
    { key: 'other', title: 'groupOther', fields: ['EMAIL_RECIPIENT', 'EMAIL_SUFFIX'] },
  ],
  fields: {
    SMTP: dialogField('settingMailServer', 'settingMailServerOpen', smtp),
    CREATE_USER_MSG: dialogField('settingWelcomeMail', 'settingWelcomeMailOpen', welcome),
  },
  buttons: (props: FormButtonsProps) => (
    <TestButton url="/api/v1/settings/mail/testing/" label="settingSendTest" {...props} />
  ),
}

const sms: CategoryForm = {
  category: 'sms',
  groups: [{ key: 'sms', title: 'settingSms', fields: ['SMS_ENABLED', 'SMS_BACKEND', 'PROVIDER', 'SMS_CODE_LENGTH'] }],
  fields: {
    PROVIDER: dialogField('settingSmsProvider', 'settingSmsProviderOpen', (values) =>
      smsProviders.find(({ category }) => category === (values.SMS_BACKEND || 'alibaba')),
    ),
  },
}

export default function Messages() {
  return (
    <SettingsPage
      tabs={[
        { key: 'Email', title: 'email', permission: 'settings.change_email', form: email },
        { key: 'SMS', title: 'settingSms', permission: 'settings.change_sms', license: true, form: sms },
        {
          key: 'MsgSubscription',
          title: 'settingSubscriptions',
          permission: 'settings.change_systemmsgsubscription',
          render: () => <Subscriptions />,
        },
      ]}
    />
  )
}
