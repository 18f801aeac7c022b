{{- define "rivulet.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* At most 52 characters, because the pod and the other Services add to it. */}}
{{- define "rivulet.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains (include "rivulet.name" .) .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "rivulet.name" .) | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "rivulet.selector" -}}
app.kubernetes.io/name: {{ include "rivulet.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "rivulet.labels" -}}
{{ include "rivulet.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "rivulet.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "rivulet.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "rivulet.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "rivulet.address" -}}
{{ include "rivulet.fullname" . }}.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}
{{- end -}}

{{/* The memory limit in MiB; 0 if there is none. */}}
{{- define "rivulet.limitMib" -}}
{{- $limit := toString (dig "limits" "memory" 0 .Values.resources) -}}
{{- $units := dict "" 1 "k" 1e3 "K" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $unit := regexFind "[A-Za-z]*$" $limit -}}
{{- divf (mulf (float64 (trimSuffix $unit $limit)) (float64 (get $units $unit))) 1048576 | floor | int64 -}}
{{- end -}}

{{/* Half of the limit: with a quarter for the heap, a quarter is left for the JVM itself and the page cache. */}}
{{- define "rivulet.directMemory" -}}
{{- if .Values.directMemory -}}
{{ .Values.directMemory }}
{{- else if .Values.resources.limits -}}
{{ div (include "rivulet.limitMib" . | int64) 2 }}m
{{- end -}}
{{- end -}}

{{/* A size for the JVM, such as 512m, in MiB. */}}
{{- define "rivulet.jvmMib" -}}
{{- $number := regexFind "^[0-9]+" . | int64 -}}
{{- get (dict "k" (div $number 1024) "m" $number "g" (mul $number 1024)) (regexFind "[a-z]$" (lower .)) -}}
{{- end -}}

{{/* The protocols of the listeners that are open, separated by commas. */}}
{{- define "rivulet.protocols" -}}
{{- .Values.client.protocol -}}{{- if .Values.external.enabled -}},{{ .Values.external.protocol }}{{- end -}}
{{- end -}}

{{- define "rivulet.usesTls" -}}
{{- if contains "SSL" (include "rivulet.protocols" .) -}}true{{- end -}}
{{- end -}}

{{- define "rivulet.usesSasl" -}}
{{- if contains "SASL" (include "rivulet.protocols" .) -}}true{{- end -}}
{{- end -}}

{{- define "rivulet.usersSecret" -}}
{{- .Values.auth.secret | default (printf "%s-users" (include "rivulet.fullname" .)) -}}
{{- end -}}

{{- define "rivulet.tlsFile" -}}
{{- .Values.tls.file | default (ternary "keystore.p12" "tls-combined.pem" (eq .Values.tls.mode "pkcs12")) -}}
{{- end -}}

{{/* Numbers come as floats, and a large one would be written as 1e+06. */}}
{{- define "rivulet.serverProperties" -}}
{{- range $key, $value := .Values.config }}
{{- $text := toString $value }}
{{- if and (kindIs "float64" $value) (eq (floor $value) $value) }}
{{- $text = printf "%.0f" $value }}
{{- end }}
{{ $key }}={{ $text | replace "\\" "\\\\" }}
{{- end }}
{{- end -}}

{{/* What the schema can't say: values that do not fit together. */}}
{{- define "rivulet.check" -}}
{{- $own := list "listeners" "advertised.listeners" "listener.security.protocol.map" "log.dirs" "log.dir" "rivulet.http.listener" "rivulet.console.listener" "rivulet.tls" "rivulet.users" "rivulet.create.topics" "sasl.enabled.mechanisms" "authorizer.class.name" "super.users" "rivulet.log.format" "controller.listener.names" -}}
{{- range $key, $value := .Values.config -}}
{{- if has $key $own -}}
{{- fail (printf "config: the chart sets %s itself; use client, external, tls, auth, topics, persistence, console or log" $key) -}}
{{- end -}}
{{- if regexMatch "password|sasl\\.jaas\\.config$|ssl\\.keystore\\.key$|^rivulet\\.add\\.scram$" $key -}}
{{- fail (printf "config: %s would be in a ConfigMap, which everyone may read; use tls and auth" $key) -}}
{{- end -}}
{{- end -}}
{{- $limit := include "rivulet.limitMib" . | int64 -}}
{{- if and (eq $limit 0) (not (and .Values.heap .Values.directMemory)) -}}
{{- fail "resources.limits.memory is needed: without it the heap would be a quarter of the node's memory. Or set heap and directMemory" -}}
{{- end -}}
{{- if and (ne $limit 0) (lt $limit 1024) -}}
{{- fail (printf "resources.limits.memory is %v; the broker needs 1Gi" .Values.resources.limits.memory) -}}
{{- end -}}
{{- if ne $limit 0 -}}
{{- $heap := include "rivulet.jvmMib" (.Values.heap | default (printf "%dm" (div $limit 4))) | int64 -}}
{{- $direct := include "rivulet.jvmMib" (include "rivulet.directMemory" .) | int64 -}}
{{- if gt (add $heap $direct) $limit -}}
{{- fail (printf "heap and directMemory are %d MiB together; resources.limits.memory is %d MiB" (add $heap $direct) $limit) -}}
{{- end -}}
{{- end -}}
{{- range $name, $port := dict "client.port" .Values.client.port "external.port" .Values.external.port -}}
{{- if has (int $port) (list 9644 9645) -}}
{{- fail (printf "%s is %d, which the pages of health, metrics and console have" $name (int $port)) -}}
{{- end -}}
{{- end -}}
{{- if .Values.external.enabled -}}
{{- if not .Values.external.host -}}
{{- fail "external.host is needed: the address of the load balancer or of a node, which the broker tells its clients" -}}
{{- end -}}
{{- if eq (int .Values.external.port) (int .Values.client.port) -}}
{{- fail "external.port and client.port must differ: the broker listens on both" -}}
{{- end -}}
{{- if and (eq .Values.external.type "NodePort") (or (lt (int .Values.external.port) 30000) (gt (int .Values.external.port) 32767)) -}}
{{- fail (printf "external.port is %d; with NodePort it is a port of the nodes, from 30000 to 32767" (int .Values.external.port)) -}}
{{- end -}}
{{- end -}}
{{- if include "rivulet.usesTls" . -}}
{{- if and (ne .Values.tls.mode "selfSigned") (not .Values.tls.secret) -}}
{{- fail (printf "tls.secret is needed with tls.mode %s" .Values.tls.mode) -}}
{{- end -}}
{{- if and (eq .Values.tls.mode "pkcs12") (not .Values.tls.password.secret) -}}
{{- fail "tls.password.secret is needed with tls.mode pkcs12" -}}
{{- end -}}
{{- if and (ne .Values.tls.clientAuth "none") (not .Values.tls.trust.secret) (not .Values.tls.secret) -}}
{{- fail "tls.trust.secret is needed with tls.clientAuth: it has the certificates that are trusted" -}}
{{- end -}}
{{- end -}}
{{- if include "rivulet.usesSasl" . -}}
{{- if and .Values.auth.secret .Values.auth.users -}}
{{- fail "auth.secret and auth.users exclude each other" -}}
{{- end -}}
{{- if not (or .Values.auth.secret .Values.auth.users) -}}
{{- fail "auth.secret or auth.users is needed: a listener has a protocol with SASL, and nobody could log in" -}}
{{- end -}}
{{- else if or .Values.auth.secret .Values.auth.users -}}
{{- fail "auth has users, but no listener has a protocol with SASL, so nobody would have to log in" -}}
{{- end -}}
{{- $certificates := and (include "rivulet.usesTls" .) (ne .Values.tls.clientAuth "none") -}}
{{- if and .Values.auth.acls (not (or (include "rivulet.usesSasl" .) $certificates)) -}}
{{- fail "auth.acls needs a listener with SASL, or tls.clientAuth: without logins and certificates every client is User:ANONYMOUS" -}}
{{- end -}}
{{- if and .Values.auth.acls (not .Values.auth.superUsers) -}}
{{- fail "auth.superUsers is needed with auth.acls: without one nobody can make the first rule" -}}
{{- end -}}
{{- end -}}
