"""
MiniStack 1.5.33 with the places in which it differs from AWS for these stacks. The stacks are deployed unchanged.
Each place is a finding about the emulator, not about the stacks: see docs/adr/0044-rehearsal-and-emulator.md.
"""
import base64, os, re
import ministack.app as app, ministack.core.iam_actions as iam, ministack.core.lambda_runtime as runtime
import ministack.services.apigateway_v1 as gateway, ministack.services.cloudformation.provisioners as cfn
app._port_is_bindable = lambda *_: False  # with TLS it would take port 443, too
# 1. Alarms over metric math or a Metrics Insights query are refused. Here they become alarms over their first metric, or over one without points.
put_alarm = cfn._cw_metric_alarm_record
no_points = {'Metric': {'Namespace': 'Gateline/Emulator', 'MetricName': 'Query'}, 'Period': 60, 'Stat': 'Sum'}
def alarm(name, props):
    if props.get('Metrics'):
        stat = next((m['MetricStat'] for m in props['Metrics'] if 'MetricStat' in m), no_points)
        props = {**props, **stat['Metric'], 'Period': stat['Period'], 'Statistic': stat['Stat'], 'Metrics': None}
    return put_alarm(name, props)
cfn._cw_metric_alarm_record = alarm
# 2. REST APIs know no response streaming: neither the integration's URI nor the runtime's global. It is buffered here.
ref = gateway._extract_lambda_ref_from_integration_uri
gateway._extract_lambda_ref_from_integration_uri = lambda uri: ref((uri or '').replace('/response-streaming-invocations', '/invocations'))
runtime._NODEJS_WORKER_SCRIPT = runtime._NODEJS_WORKER_SCRIPT.replace('let handlerFn = null;', '''let handlerFn = null;
globalThis.awslambda = {
  HttpResponseStream: { from: (stream, prelude) => Object.assign(stream, { prelude }) },
  streamifyResponse: (handle) => async (event, context) => {
    const stream = new (require('stream').PassThrough)();
    const chunks = [];
    const whole = new Promise((yes, no) => stream.on('data', (c) => chunks.push(c)).on('end', yes).on('error', no));
    await Promise.all([handle(event, stream, context), whole]);
    return { ...stream.prelude, body: Buffer.concat(chunks).toString('base64'), isBase64Encoded: 'streamed' };
  },
};''', 1)
shape = gateway._lambda_proxy_response
def response(result):
    answer, error = shape(result)
    if isinstance(answer, dict) and answer.get('isBase64Encoded') == 'streamed':
        answer = {**answer, 'isBase64Encoded': False, 'body': base64.b64decode(answer['body'])}
    return answer, error
gateway._lambda_proxy_response = response
# 3. Ref of a secret is its ARN on AWS; here it is its name, which no policy of the stack allows to read.
secret = cfn._RESOURCE_HANDLERS['AWS::SecretsManager::Secret']
create, update, delete = secret['create'], secret['update'], secret['delete']
name_of = lambda ref: next((n for n, s in cfn._sm._secrets.items() if s['ARN'] == ref), ref)
by_arn = lambda made: (made[1]['Arn'], made[1])
secret.update(create=lambda *a: by_arn(create(*a)), update=lambda ref, *a, **k: by_arn(update(name_of(ref), *a, **k)),
              delete=lambda ref, props: delete(name_of(ref), props))
# 4. sqs:SendMessage allows SendMessageBatch, too.
action_of = iam.extract_iam_action
def action(*args, **named):
    name = action_of(*args, **named)
    return name.removesuffix('Batch') if name and name.startswith('sqs:') else name
iam.extract_iam_action = action
# 5. Gateway responses know context.requestId only, not context.extendedRequestId.
value, render = gateway._gateway_request_value, gateway._gateway_error_response
gateway._gateway_request_value = lambda source, request: value(source.replace('extendedRequestId', 'requestId'), request)
def rendered(error, request):
    status, headers, body = render(error, request)
    return status, headers, body.replace(b'$context.extendedRequestId', request['request_id'].encode())
gateway._gateway_error_response = rendered
# 6. Gateway responses in the body of an API are not imported, nor the method of all methods.
load, every = gateway._import_rest_api, 'x-amazon-apigateway-any-method'
gateway._OPENAPI_HTTP_METHODS.add('any')
def imported(spec, *args, **named):
    paths = {path: {'any' if n == every else n: v for n, v in item.items()} for path, item in spec['paths'].items()}
    spec = {**spec, 'paths': paths}
    api = load(spec, *args, **named)
    for kind, response in (spec.get('x-amazon-apigateway-gateway-responses') or {}).items():
        gateway._put_gateway_response(api, kind, response)
    return api
gateway._import_rest_api = imported
# 7. A template with an unknown resource type is refused. Here such a resource is a placeholder that does nothing, and the log names its type.
class Handlers(dict):
    def __contains__(self, kind):
        return super().__contains__(kind) or kind.startswith('AWS::')
    def get(self, kind, default=None):
        if super().__contains__(kind) or not kind.startswith('AWS::'):
            return super().get(kind, default)
        print('unknown resource type:', kind, flush=True)
        return placeholder
attributes = lambda name: {'Arn': f'arn:aws:placeholder:us-east-1:000000000000:{name}', 'Id': name}
placeholder = {
    'create': lambda name, props, stack: (f'{stack}-{name}', attributes(name)),
    'update': lambda ref, old, new, stack: (ref, attributes(ref)),
    'delete': lambda ref, props: None,
}
cfn._RESOURCE_HANDLERS = Handlers(cfn._RESOURCE_HANDLERS)
# 8. The update of a nested stack forgets the attributes of resources that do not change.
known, provision, change = {}, cfn._provision_resource, cfn._update_resource
def remembered(kind, made):
    known[kind, made[0]] = made[1] or known.get((kind, made[0]), {})
    return made[0], known[kind, made[0]]
cfn._provision_resource = lambda kind, *args: remembered(kind, provision(kind, *args))
cfn._update_resource = lambda kind, *args, **named: remembered(kind, change(kind, *args, **named))
# 9. Responses and templates of a mock integration in the body of an API are not imported, and a 204 has a body.
operation_of, mocked = gateway._import_operation, gateway._invoke_mock_v1
def with_responses(api, resource, method, operation, *args):
    operation_of(api, resource, method, operation, *args)
    integration = operation.get('x-amazon-apigateway-integration') or {}
    if integration.get('type') == 'mock':
        target = gateway._resources[api][resource]['resourceMethods'][method]['methodIntegration']
        target['requestTemplates'] = integration['requestTemplates']
        for response in integration['responses'].values():
            gateway._put_integration_response(api, resource, method, response['statusCode'], response)
gateway._import_operation = with_responses
def without_body(integration):
    status, headers, body = mocked(integration)
    return (204, {n: v for n, v in headers.items() if n != 'Content-Type'}, b'') if status == 204 else (status, headers, body)
gateway._invoke_mock_v1 = without_body
# 10. Names that CloudFormation makes are random on AWS. Here a stack of the same name in another region would overwrite roles and replicas of secrets.
named, home = cfn._physical_name, os.environ['AWS_REGION']
in_region = lambda stack: stack if cfn.get_region() == home else f'{cfn.get_region()}-{stack}'
cfn._physical_name = lambda stack, *args, **options: named(in_region(stack), *args, **options)
# 11. A path with an empty segment is no path of the API. Here empty segments are left out, so such a path gets more than any resource has.
execute = gateway._execute_in_scope
exact = lambda path: path + '/-' * 9 if '//' in path else path
# 12. The template of a mock's response is not rendered, and its headers know no context.
branch = re.compile(r'(?:#if|#elseif)\(\$input\.params\("proxy"\)\.matches\("(.*?)"\)\)(.*?)(?=#elseif|#\{else\})')
def filled(made, request, path):
    if not isinstance(made, tuple) or '#if(' not in str(made[2]):
        return made
    text = made[2].decode()
    chosen = next((b[2] for b in branch.finditer(text) if re.fullmatch(b[1], path.lstrip('/'))), re.search(r'#\{else\}(.*?)#end', text)[1])
    body = re.sub(r'#if\(.*#end', lambda _: chosen, text).replace('$context.extendedRequestId', request['request_id'])
    return made[0], {n: request['request_id'] if v.startswith('context.') else v for n, v in made[1].items()}, body.encode()
async def executed(request, api, stage, method, path, *args):
    return filled(await execute(request, api, stage, method, exact(path), *args), request, path)
gateway._execute_in_scope = executed
app.main()
