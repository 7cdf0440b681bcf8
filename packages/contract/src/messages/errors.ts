/**
 * Error responses of the server. Each text names the error and, if the user can fix it, the next step. Texts of sign-in
 * are in `sign-in.ts`.
 */
import { defineMessages } from '../messages.ts'

export const errors = defineMessages({
  // Errors of one field.
  required: { en: 'This field is required.', zh: '该字段是必填项。', ja: 'この項目は必須です。' },
  null: { en: 'This field may not be null.', zh: '该字段不能为 null。', ja: 'この項目は null にできません。' },
  blank: { en: 'This field may not be blank.', zh: '该字段不能为空。', ja: 'この項目は空にできません。' },
  max_items: {
    en: 'Use at most {max} {max|item|items}.',
    zh: '最多只能填写 {max} 项。',
    ja: '{max} 件まで指定できます。',
  },
  empty_list: { en: 'Choose at least one item.', zh: '请至少选择一项。', ja: '1 つ以上選択してください。' },
  empty_file: { en: 'The file is empty.', zh: '文件是空的。', ja: 'ファイルが空です。' },
  read_only: { en: 'This field cannot be changed.', zh: '该字段不可修改。', ja: 'この項目は変更できません。' },
  invalid: { en: 'Enter a valid value.', zh: '请输入合法的值。', ja: '有効な値を入力してください。' },
  not_a_string: { en: 'Not a valid string.', zh: '不是有效的字符串。', ja: '有効な文字列ではありません。' },
  null_characters: {
    en: 'Null characters are not allowed.',
    zh: '不允许包含空字符（NUL）。',
    ja: 'NULL 文字は使用できません。',
  },
  not_an_integer: { en: 'Enter a whole number.', zh: '请填写合法的整数值。', ja: '整数を入力してください。' },
  not_a_number: { en: 'Enter a number.', zh: '请填写合法的数字。', ja: '数値を入力してください。' },
  not_a_boolean: {
    en: 'Must be true or false.',
    zh: '必须是 true 或 false。',
    ja: 'true または false を指定してください。',
  },
  not_a_datetime: {
    en: 'Not a valid date and time. Use YYYY/MM/DD HH:MM:SS +ZZZZ or ISO 8601.',
    zh: '日期时间格式错误，请使用 YYYY/MM/DD HH:MM:SS +ZZZZ 或 ISO 8601 格式。',
    ja: '日時の形式が正しくありません。YYYY/MM/DD HH:MM:SS +ZZZZ または ISO 8601 で指定してください。',
  },
  not_a_list: {
    en: 'Expected a list of items but got “{type}”.',
    zh: '期望的是列表，得到的类型是“{type}”。',
    ja: 'リストが必要ですが、「{type}」が渡されました。',
  },
  not_a_dictionary: {
    en: 'Expected an object but got “{type}”.',
    zh: '期望的是对象（字典），得到的类型是“{type}”。',
    ja: 'オブジェクトが必要ですが、「{type}」が渡されました。',
  },
  not_a_uuid: {
    en: '“{input}” is not a valid UUID.',
    zh: '“{input}”不是合法的 UUID。',
    ja: '「{input}」は有効な UUID ではありません。',
  },
  not_an_email: {
    en: 'Enter a valid email address.',
    zh: '请填写合法的邮件地址。',
    ja: '有効なメールアドレスを入力してください。',
  },
  not_an_email_domain: {
    en: 'Enter the part of an email address behind @, like example.com.',
    zh: '请填写邮件地址 @ 之后的部分，例如 example.com。',
    ja: 'メールアドレスの @ より後の部分を入力してください（例: example.com）。',
  },
  not_a_url: { en: 'Enter a valid URL.', zh: '请填写合法的 URL。', ja: '有効な URL を入力してください。' },
  not_an_ip_group: {
    en: '“{input}” is not an address, network or range. Use *, 192.168.10.1, 192.168.1.0/24, 10.1.1.1-10.1.1.20 or an IPv6 form of these.',
    zh: '“{input}”不是合法的 IP、网段或范围，可使用 *、192.168.10.1、192.168.1.0/24、10.1.1.1-10.1.1.20 及对应的 IPv6 形式。',
    ja: '「{input}」は IP、ネットワーク、範囲のいずれでもありません。*、192.168.10.1、192.168.1.0/24、10.1.1.1-10.1.1.20 または IPv6 の形式で入力してください。',
  },
  not_a_slug: {
    en: 'Use letters, digits, underscores and hyphens only.',
    zh: '只能包含字母、数字、下划线或连字符。',
    ja: '文字、数字、アンダースコア、ハイフンのみ使用できます。',
  },
  too_many_tries: {
    en: 'Too many failed attempts. Try again in {minutes} minutes, or ask an administrator to unlock you.',
    zh: '错误次数过多，请在 {minutes} 分钟后重试，或联系管理员解锁。',
    ja: '間違いが多すぎます。{minutes} 分後にやり直すか、管理者にロック解除を依頼してください。',
  },
  too_many_tries_from: {
    en: 'Too many attempts from your address. Try again in {minutes} minutes.',
    zh: '来自您地址的尝试次数过多，请在 {minutes} 分钟后重试。',
    ja: 'お使いのアドレスからの試行回数が多すぎます。{minutes} 分後にやり直してください。',
  },
  too_many_executions: {
    en: '{most} of your executions are waiting already. Start another one when some of them have begun.',
    zh: '您已有 {most} 个执行在等待，请待其中一些开始后再启动。',
    ja: 'すでに {most} 件の実行が待機しています。いくつか開始されてから実行してください。',
  },
  too_many_parameters: {
    en: 'At most {most} parameters can be sent at once.',
    zh: '一次最多发送 {most} 个参数。',
    ja: '一度に送信できるパラメーターは {most} 個までです。',
  },
  search_too_long: {
    en: 'Search for at most {words} words and {characters} characters.',
    zh: '搜索内容最多 {words} 个词、{characters} 个字符。',
    ja: '検索は {words} 語、{characters} 文字以内で指定してください。',
  },
  too_many_values: {
    en: 'At most {most} values can be sent here. Store a selection for more.',
    zh: '此处最多发送 {most} 个值，更多时请先保存选择。',
    ja: 'ここで送信できる値は {most} 個までです。それより多い場合は選択を保存してください。',
  },
  json_too_deep: {
    en: 'JSON can be nested at most {most} levels deep.',
    zh: 'JSON 最多可嵌套 {most} 层。',
    ja: 'JSON の入れ子は {most} 段までです。',
  },
  rule_too_long: {
    en: 'A rule can have at most {most} conditions.',
    zh: '一条规则最多可包含 {most} 个条件。',
    ja: '1 つのルールに指定できる条件は {most} 個までです。',
  },
  too_many_sockets: {
    en: 'Too many windows are connected for you. Close some of them.',
    zh: '您已连接的窗口过多，请关闭一些。',
    ja: '接続中のウィンドウが多すぎます。いくつか閉じてください。',
  },
  unseen_characters: {
    en: 'Control characters and invisible or direction-changing characters are not allowed.',
    zh: '此处不能包含控制字符、不可见字符或改变文字方向的字符。',
    ja: '制御文字、見えない文字、文字の方向を変える文字は使用できません。',
  },
  not_a_choice: {
    en: '“{input}” is not a valid choice.',
    zh: '“{input}”不是合法选项。',
    ja: '「{input}」は有効な選択肢ではありません。',
  },
  rule_type: {
    en: 'Set “type” to “all”, “ids” or “attrs”.',
    zh: '请说明规则的对象：type 为“all”“ids”或“attrs”。',
    ja: 'ルールの対象を指定してください。type は「all」「ids」「attrs」のいずれかです。',
  },
  rule_ids: {
    en: '“ids” must be a list with at least one item.',
    zh: '请至少选择一项：“ids”是一个列表。',
    ja: '1 つ以上選択してください。「ids」はリストです。',
  },
  rule_attributes: {
    en: '“attrs” must be a list with at least one attribute.',
    zh: '请至少添加一个属性：“attrs”是一个列表。',
    ja: '属性を 1 つ以上追加してください。「attrs」はリストです。',
  },
  rule_attribute: {
    en: 'Every attribute needs a name and a value.',
    zh: '每个属性都需要名称和值。',
    ja: '各属性には名前と値が必要です。',
  },
  not_json: {
    en: 'Value must be valid JSON.',
    zh: '值必须是合法的 JSON 数据。',
    ja: '有効な JSON を指定してください。',
  },
  not_a_phone: {
    en: 'Not a valid phone number. Include the country code, for example +8613800000000.',
    zh: '手机号码格式不正确，请包含国家代码，例如 +8613800000000。',
    ja: '電話番号の形式が正しくありません。国番号を含めて入力してください（例：+8613800000000）。',
  },
  max_length: {
    en: 'Use at most {max} {max|character|characters}.',
    zh: '长度不能超过 {max} 个字符。',
    ja: '{max} 文字以内で入力してください。',
  },
  min_length: {
    en: 'Use at least {min} {min|character|characters}.',
    zh: '长度至少为 {min} 个字符。',
    ja: '{min} 文字以上で入力してください。',
  },
  max_value: { en: 'Must not be greater than {max}.', zh: '不能大于 {max}。', ja: '{max} 以下にしてください。' },
  min_value: { en: 'Must not be less than {min}.', zh: '不能小于 {min}。', ja: '{min} 以上にしてください。' },
  unique: { en: 'This value is already in use.', zh: '该值已存在，请换一个。', ja: 'この値は既に使用されています。' },
  does_not_exist: {
    en: 'Object “{pk}” does not exist or is not visible to you.',
    zh: '对象“{pk}”不存在，或您无权查看。',
    ja: 'オブジェクト「{pk}」は存在しないか、閲覧権限がありません。',
  },
  incorrect_type: {
    en: 'Expected an id but got “{type}”.',
    zh: '类型错误，期望的是 ID，得到的是“{type}”。',
    ja: 'ID が必要ですが、「{type}」が渡されました。',
  },

  // Errors of the request.
  not_authenticated: {
    en: 'You are not signed in. Sign in and try again.',
    zh: '身份认证信息未提供，请登录后重试。',
    ja: '認証情報がありません。ログインしてからやり直してください。',
  },
  authentication_failed: {
    en: 'The credentials are wrong or no longer valid. Sign in again.',
    zh: '身份认证信息错误或已失效，请重新登录。',
    ja: '認証情報が正しくないか期限切れです。もう一度ログインしてください。',
  },
  token_invalid: {
    en: 'The token is invalid or has expired. Get a new one.',
    zh: '令牌无效或已过期，请重新获取。',
    ja: 'トークンが無効か期限切れです。新しく取得してください。',
  },
  signature_invalid: {
    en: 'The request’s signature is wrong. Check the access key, the signed headers and the clock.',
    zh: '请求签名无效，请检查访问密钥、签名的请求头以及系统时间。',
    ja: 'リクエストの署名が無効です。アクセスキー、署名対象ヘッダー、時刻を確認してください。',
  },
  signature_date: {
    en: 'The header Date of a signed request must be the present time, within 5 minutes: a time in RFC 1123 form. Check the clock, and sign each request anew.',
    zh: '签名请求的 Date 请求头须为当前时间（RFC 1123 格式，误差不超过 5 分钟）。请检查系统时间，并为每个请求重新签名。',
    ja: '署名付きリクエストの Date ヘッダーは現在時刻（RFC 1123 形式、誤差 5 分以内）でなければなりません。時計を確認し、リクエストごとに署名してください。',
  },
  signature_used: {
    en: 'A request with this signature was sent before. Sign each request anew; to send the same one twice within a second, sign a further header with another value.',
    zh: '此签名已使用过。请为每个请求重新签名；如需在同一秒内重复发送相同请求，请额外签名一个取值不同的请求头。',
    ja: 'この署名は使用済みです。リクエストごとに署名してください。同じリクエストを 1 秒以内に繰り返すときは、値の異なるヘッダーを署名に加えてください。',
  },
  digest_required: {
    en: 'A signed request with a body needs the header Digest (SHA-256=…, base64) among its signed headers.',
    zh: '带请求体的签名请求须包含 Digest 请求头（SHA-256=…，base64），并将其列入签名的请求头。',
    ja: '本文のある署名付きリクエストには Digest ヘッダー（SHA-256=…、base64）を付け、署名対象に含めてください。',
  },
  digest_invalid: {
    en: 'The header Digest does not fit the body. Compute it from the bytes that are sent, as SHA-256=… or SHA-512=… in base64.',
    zh: 'Digest 请求头与请求体不符。请按实际发送的字节计算，格式为 SHA-256=… 或 SHA-512=…（base64）。',
    ja: 'Digest ヘッダーが本文と一致しません。送信するバイト列から計算し、SHA-256=… または SHA-512=…（base64）としてください。',
  },
  ip_not_allowed: {
    en: 'Your address {ip} is not allowed to use this key.',
    zh: '当前地址 {ip} 不允许使用该密钥。',
    ja: 'アドレス {ip} からこのキーは使用できません。',
  },
  user_disabled: {
    en: 'Your account is disabled or has expired. Ask an administrator.',
    zh: '账号已禁用或过期，请联系管理员。',
    ja: 'アカウントが無効か期限切れです。管理者に連絡してください。',
  },
  permission_denied: {
    en: 'You do not have permission to do this. Ask an administrator for a role that allows it.',
    zh: '您没有执行该操作的权限，请联系管理员授权。',
    ja: 'この操作を行う権限がありません。管理者に権限を依頼してください。',
  },
  components_only: {
    en: 'Only components may do this. Sign the request with the access key of a registered component.',
    zh: '仅组件可执行此操作，请使用已注册组件的访问密钥对请求签名。',
    ja: 'この操作はコンポーネントのみが行えます。登録済みコンポーネントのアクセスキーでリクエストに署名してください。',
  },
  not_found: {
    en: '{object} not found. It may have been deleted, or it belongs to another organization.',
    zh: '{object}不存在，可能已被删除，或属于其它组织。',
    ja: '{object}が見つかりません。削除されたか、別の組織に属している可能性があります。',
  },
  no_such_page: { en: 'Page not found', zh: '页面不存在', ja: 'ページが見つかりません' },
  no_such_page_text: {
    en: 'The address may be wrong, or the object was deleted.',
    zh: '地址可能有误，或其内容已被删除。',
    ja: 'アドレスが間違っているか、内容が削除されています。',
  },
  to_home: { en: 'To the console', zh: '返回控制台', ja: 'コンソールへ' },
  method_not_allowed: {
    en: 'Method “{method}” is not allowed here.',
    zh: '此处不允许使用“{method}”方法。',
    ja: 'ここではメソッド「{method}」は使用できません。',
  },
  not_acceptable: {
    en: 'The requested format is not available. Use JSON, CSV or XLSX.',
    zh: '无法提供所请求的格式，请使用 JSON、CSV 或 XLSX。',
    ja: '要求された形式では応答できません。JSON、CSV、XLSX を使用してください。',
  },
  parse_error: {
    en: 'The body of the request could not be read.',
    zh: '请求内容格式错误，无法解析。',
    ja: 'リクエスト本文を解析できません。',
  },
  not_utf8: {
    en: 'This is not valid UTF-8 text. Send it in UTF-8.',
    zh: '内容不是有效的 UTF-8 文本，请使用 UTF-8 编码。',
    ja: '有効な UTF-8 テキストではありません。UTF-8 で送信してください。',
  },
  upload_too_large: {
    en: 'The files are larger than {max} MB together. Send smaller ones.',
    zh: '文件总大小超过 {max} MB，请上传更小的文件。',
    ja: 'ファイルの合計が {max} MB を超えています。小さくして送信してください。',
  },
  number_too_large: { en: 'This number is too large.', zh: '数值过大。', ja: '数値が大きすぎます。' },
  file_damaged: {
    en: 'Row {row}, column “{column}”: the text is damaged. Save the file again as CSV (UTF-8) or XLSX.',
    zh: '第 {row} 行“{column}”列的文本已损坏，请重新保存为 CSV（UTF-8）或 XLSX 文件。',
    ja: '{row} 行目の列「{column}」のテキストが壊れています。CSV（UTF-8）または XLSX で保存し直してください。',
  },
  selection_gone: {
    en: 'This selection has expired. Select the rows again.',
    zh: '该选择已失效，请重新选择。',
    ja: 'この選択は無効になりました。もう一度選択してください。',
  },
  request_too_slow: {
    en: 'The request took too long to arrive. Check the connection and send it again.',
    zh: '请求传输超时，请检查网络连接后重新发送。',
    ja: 'リクエストの受信に時間がかかりすぎました。接続を確認してもう一度送信してください。',
  },
  headers_too_long: {
    en: 'The headers of the request are too long. Delete the cookies of this site, or send fewer headers.',
    zh: '请求头过长，请清除本站的 Cookie，或减少请求头。',
    ja: 'リクエストヘッダーが長すぎます。このサイトの Cookie を削除するか、ヘッダーを減らしてください。',
  },
  conflict: {
    en: 'Another request is changing this object. Try again shortly.',
    zh: '该对象正在被其它操作修改，请稍后重试。',
    ja: '別の操作が変更中です。しばらくしてからやり直してください。',
  },
  passkey_off: {
    en: 'Passkeys are switched off. An administrator can enable them in the settings.',
    zh: '通行密钥未启用，请联系管理员在系统设置中启用。',
    ja: 'パスキーは無効です。管理者が設定で有効にできます。',
  },
  passkey_local: {
    en: 'Only local users can register passkeys: your account comes from another source.',
    zh: '仅本地用户可以注册通行密钥，您的账号来自其他来源。',
    ja: 'パスキーを登録できるのはローカルユーザーだけです。あなたのアカウントは別のソースのものです。',
  },
  passkey_address: {
    en: 'Passkeys do not work at this address. Open the console by HTTPS and by the domain name that the passkey settings or the site URL name, not by an IP address.',
    zh: '当前地址不支持通行密钥。请通过 HTTPS，使用通行密钥设置或当前站点 URL 中的域名（而非 IP 地址）访问控制台。',
    ja: 'このアドレスではパスキーを使えません。IP アドレスではなく、パスキー設定またはサイト URL のドメイン名で、HTTPS でコンソールを開いてください。',
  },
  passkey_unreadable: {
    en: 'The passkey was not accepted: the request has expired or came from another page. Start again.',
    zh: '通行密钥未被接受：请求已过期或来自其他页面，请重新开始。',
    ja: 'パスキーは受け付けられませんでした。要求の期限が切れたか、別のページからのものです。最初からやり直してください。',
  },
  csrf_failed: {
    en: 'The page is out of date (CSRF check failed). Reload it and try again.',
    zh: '页面已失效（CSRF 校验失败），请刷新后重试。',
    ja: 'ページの有効期限が切れました（CSRF 検証に失敗）。再読み込みしてやり直してください。',
  },
  server_error: {
    en: 'Something went wrong on the server. If it happens again, give an administrator the request id {request}.',
    zh: '服务器内部错误，如再次出现请将请求编号 {request} 提供给管理员。',
    ja: 'サーバーで問題が発生しました。再発する場合はリクエスト ID {request} を管理者に伝えてください。',
  },
  disk_full: {
    en: 'The disk is full and nothing can be saved. Ask an administrator to free space for the data folder or the database, then try again.',
    zh: '磁盘已满，无法保存。请管理员在数据目录或数据库所在的磁盘上腾出空间，然后重试。',
    ja: 'ディスクがいっぱいのため保存できません。管理者がデータフォルダーまたはデータベースのあるディスクの空きを増やしたあと、やり直してください。',
  },
  database_unavailable: {
    en: 'The database is not available. Try again shortly. If this continues, contact an administrator.',
    zh: '数据库暂时无法使用，请稍后重试；如持续出现，请联系管理员。',
    ja: '現在データベースを使用できません。しばらくしてからやり直してください。続く場合は管理者に連絡してください。',
  },
  program_restarting: {
    en: 'Castellan is restarting. This page reloads by itself. Open terminals continue.',
    zh: 'Castellan 正在重新启动。本页面会自动重试，已打开的终端不受影响。',
    ja: 'Castellan を再起動しています。このページは自動的に再試行します。開いている端末はそのまま使えます。',
  },
  referenced_by_others: {
    en: 'This object is still in use. Remove the references first.',
    zh: '该对象仍被其它对象引用，请先解除引用后再删除。',
    ja: '他のオブジェクトから参照されています。先に参照を解除してください。',
  },
  have_online_session: {
    en: 'This component has open sessions. End them first.',
    zh: '该组件上仍有在线会话，请先终止会话。',
    ja: 'このコンポーネントに接続中のセッションがあります。先に終了してください。',
  },
  no_organization: {
    en: 'Objects cannot be saved in the global organization. Switch to an organization first.',
    zh: '全局组织下不能保存，请先切换到具体的组织。',
    ja: 'グローバル組織では保存できません。先に個別の組織へ切り替えてください。',
  },
  not_in_organization: {
    en: 'You are not a member of the organization in this request. Switch to one of yours.',
    zh: '您不属于该请求所指定的组织，请切换到您所在的组织。',
    ja: 'リクエストで指定された組織に所属していません。所属する組織に切り替えてください。',
  },
  is_builtin: {
    en: 'Built-in objects cannot be changed or deleted.',
    zh: '内置对象不能修改或删除。',
    ja: '組み込みオブジェクトは変更または削除できません。',
  },

  // Bulk requests, selections, files.
  file_content_overflowed: {
    en: 'The file is larger than {max} MB. Split it and import the parts.',
    zh: '文件超过 {max} MB，请拆分后分批导入。',
    ja: 'ファイルが {max} MB を超えています。分割してインポートしてください。',
  },
  file_password_required: {
    en: 'The file is protected. Enter its password.',
    zh: '文件受密码保护，请输入文件密码。',
    ja: 'ファイルはパスワードで保護されています。パスワードを入力してください。',
  },
  file_password_wrong: {
    en: 'This password does not open the file.',
    zh: '该密码无法打开文件。',
    ja: 'このパスワードではファイルを開けません。',
  },
  too_hard_to_read: {
    en: 'Reading this takes too much time or memory. Make it smaller or nest it less deeply.',
    zh: '解析该内容所需的时间或内存过多，请缩小内容或减少嵌套层级。',
    ja: 'この内容の読み取りには時間またはメモリがかかりすぎます。小さくするか、入れ子を浅くしてください。',
  },
  too_many_documents: {
    en: 'Too many of your files are being read. Try again when they are done.',
    zh: '您正在解析的文件过多，请等待其完成后重试。',
    ja: '読み取り中のファイルが多すぎます。完了してからもう一度お試しください。',
  },
  file_unreadable: {
    en: 'The file could not be read. Save it again as CSV (UTF-8) or XLSX.',
    zh: '文件无法解析，请另存为 CSV（UTF-8）或 XLSX 后重试。',
    ja: 'ファイルを読み取れません。CSV（UTF-8）または XLSX で保存し直してください。',
  },
  too_many_rows: {
    en: 'At most {max} {max|row|rows} can be exported. Narrow the list first.',
    zh: '最多导出 {max} 行，请先缩小范围。',
    ja: 'エクスポートは最大 {max} 行です。先に絞り込んでください。',
  },

  // Identity confirmation (412).
  unattended_needs_right: {
    en: 'People confirm their identity for this. An access key needs the permission “Use access keys where people confirm their identity”, which a system administrator gives with a role.',
    zh: '此操作需要本人确认身份。使用访问密钥时，需要“使用访问密钥执行需要身份确认的操作”权限，由系统管理员通过角色授予。',
    ja: 'この操作には本人確認が必要です。アクセスキーで行うには、システム管理者がロールで付与する「本人確認が必要な操作でのアクセスキーの使用」権限が必要です。',
  },
  user_confirm_required: {
    en: 'Confirm your identity to continue.',
    zh: '请先确认您的身份再继续操作。',
    ja: '続行する前に本人確認を行ってください。',
  },
  confirm_password: {
    en: 'Enter your password to continue.',
    zh: '请输入密码以继续。',
    ja: '続行するにはパスワードを入力してください。',
  },
  confirm_failed: {
    en: 'Confirmation failed. Check your input and try again.',
    zh: '验证失败，请检查输入后重试。',
    ja: '確認に失敗しました。入力内容を確認してやり直してください。',
  },
  confirm_needs_factor: {
    en: 'This needs a second factor. Set one up on your MFA page, then try again.',
    zh: '此操作需要 MFA 验证，请先在 MFA 页面完成绑定后重试。',
    ja: 'この操作には多要素認証が必要です。MFA ページで設定してからやり直してください。',
  },
  confirm_by_sign_in: {
    en: 'Sign out and sign in again, then repeat this within five minutes; or set up a second factor and confirm with it.',
    zh: '请重新登录，并在五分钟内再次操作；也可以绑定 MFA 后使用 MFA 验证。',
    ja: '一度ログアウトして再ログインし、5 分以内に操作してください。または多要素認証を設定して確認してください。',
  },

  // Connections to assets.
  file_password_missing: {
    en: 'Files with accounts are encrypted. Set your file encryption password in your preferences, then export again.',
    zh: '账号文件会加密导出。请先在个人偏好设置中设置文件加密密码，再重新导出。',
    ja: 'アカウントのファイルは暗号化されます。個人設定でファイル暗号化パスワードを設定してから、もう一度エクスポートしてください。',
  },
  acl_reject: {
    en: 'A rule refuses this connection. Ask an administrator.',
    zh: '登录规则拒绝了本次连接，请联系管理员。',
    ja: 'ルールによりこの接続は拒否されました。管理者に連絡してください。',
  },
  acl_review: {
    en: 'This connection requires approval first.',
    zh: '本次连接需要先审批。',
    ja: 'この接続には事前の承認が必要です。',
  },
  perm_account_invalid: {
    en: 'You have no permission for this account on this asset, or the account is disabled.',
    zh: '您没有该资产上此账号的授权，或账号已禁用。',
    ja: 'この資産のこのアカウントへの権限がないか、アカウントが無効です。',
  },
  perm_expired: {
    en: 'Your permission for this asset has expired. Ask an administrator to extend it.',
    zh: '您对该资产的授权已过期，请联系管理员延期。',
    ja: 'この資産への権限は期限切れです。管理者に延長を依頼してください。',
  },
  asset_inactive: {
    en: 'The asset is disabled. Ask an administrator.',
    zh: '资产已禁用，请联系管理员。',
    ja: '資産は無効です。管理者に連絡してください。',
  },
  anonymous_not_supported: {
    en: 'Anonymous accounts are supported for web and custom assets only.',
    zh: '匿名账号仅适用于 Web 和自定义资产。',
    ja: '匿名アカウントは Web とカスタム資産でのみ利用できます。',
  },
})

export type ErrorCode = keyof typeof errors
