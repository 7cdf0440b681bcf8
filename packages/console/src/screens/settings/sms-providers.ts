import { type CategoryForm, secretField } from './category.ts'
import { testButton } from './TestButton.tsx'

type Method = NonNullable<CategoryForm['method']>

const provider = (
  category: string,
  method: Method,
  account: readonly string[],
  secrets: readonly string[],
  template: readonly string[],
): CategoryForm => ({
  category,
  method,
  groups: [
    { key: 'basic', title: 'groupBasic', fields: [...account, ...secrets] },
    ...(template.length > 0 ? [{ key: 'template', title: 'settingSmsTemplate' as const, fields: template }] : []),
    { key: 'other', title: 'groupOther', fields: ['SMS_TEST_PHONE'] },
  ],
  fields: {
    ...Object.fromEntries(secrets.map((name) => [name, secretField])),
    SMS_TEST_PHONE: { widget: 'phone' },
  },
  buttons: testButton(`/api/v1/settings/sms/${category}/testing/`),
})

/** The dialogs of the senders of text messages, by their category. */
export const smsProviders: readonly CategoryForm[] = [
  provider(
    'alibaba',
    'PATCH',
    ['ALIBABA_ACCESS_KEY_ID'],
    ['ALIBABA_ACCESS_KEY_SECRET'],
    ['ALIBABA_VERIFY_SIGN_NAME', 'ALIBABA_VERIFY_TEMPLATE_CODE'],
  ),
  provider(
    'tencent',
    'PUT',
    ['TENCENT_SECRET_ID', 'TENCENT_SDKAPPID'],
    ['TENCENT_SECRET_KEY'],
    ['TENCENT_VERIFY_SIGN_NAME', 'TENCENT_VERIFY_TEMPLATE_CODE'],
  ),
  provider(
    'huawei',
    'PUT',
    ['HUAWEI_APP_KEY', 'HUAWEI_SMS_ENDPOINT'],
    ['HUAWEI_APP_SECRET'],
    ['HUAWEI_SIGN_CHANNEL_NUM', 'HUAWEI_VERIFY_SIGN_NAME', 'HUAWEI_VERIFY_TEMPLATE_CODE'],
  ),
  provider(
    'cmpp2',
    'PATCH',
    ['CMPP2_HOST', 'CMPP2_PORT', 'CMPP2_SP_ID', 'CMPP2_SRC_ID', 'CMPP2_SERVICE_ID'],
    ['CMPP2_SP_SECRET'],
    ['CMPP2_VERIFY_SIGN_NAME', 'CMPP2_VERIFY_TEMPLATE_CODE'],
  ),
  provider('custom', 'PATCH', ['CUSTOM_SMS_URL', 'CUSTOM_SMS_REQUEST_METHOD', 'CUSTOM_SMS_API_PARAMS'], [], []),
]
